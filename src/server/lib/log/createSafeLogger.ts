import { isThenable } from '../access/isThenable.ts';
import type { Logger } from './logger.ts';

const nothing = (): void => undefined;

/** A logger that never throws or rejects: a failing logger must not stop a request. */
export const createSafeLogger = (logger: Logger): Logger => {
  const write = (level: keyof Logger) => (fields: object, message: string) => {
    try {
      // Some loggers return a promise despite their type.
      const written: unknown = logger[level](fields, message);
      if (isThenable(written)) written.then(nothing, nothing);
    } catch {
      // There is nowhere to report it.
    }
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
};
