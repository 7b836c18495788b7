import type { Logger } from './logger.ts';

/** A logger that never throws: whoever only listens must not be able to stop what they listen to. */
export const createSafeLogger = (logger: Logger): Logger => {
  const write = (level: keyof Logger) => (fields: object, message: string) => {
    try {
      logger[level](fields, message);
    } catch {
      // There is nowhere left to report it to.
    }
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
};
