/** Receives log lines. `pino()` and `console` both work. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const nothing = (): void => undefined;

/** A logger that writes nothing. */
export const silentLogger: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** The default logger: warnings and errors on the console. */
export const defaultLogger = (): Logger => ({
  debug: nothing,
  info: nothing,
  // The default when no logger is configured.
  // oxlint-disable-next-line no-console
  warn: (fields, message) => console.warn(message, fields),
  // The default when no logger is configured.
  // oxlint-disable-next-line no-console
  error: (fields, message) => console.error(message, fields),
});
