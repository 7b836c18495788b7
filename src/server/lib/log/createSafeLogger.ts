import { isThenable } from '../access/isThenable.ts';
import type { Logger } from './logger.ts';

const nothing = (): void => undefined;

/** A logger that never throws or rejects: whoever only listens must not be able to stop what they listen to. */
export const createSafeLogger = (logger: Logger): Logger => {
  const write = (level: keyof Logger) => (fields: object, message: string) => {
    try {
      // Some write to a service, and return a promise whatever the type says.
      const written: unknown = logger[level](fields, message);
      if (isThenable(written)) written.then(nothing, nothing);
    } catch {
      // There is nowhere left to report it to.
    }
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
};
