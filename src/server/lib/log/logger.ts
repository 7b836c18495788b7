/** Where notices go. `pino()` and `console` both fit as they are. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const nothing = (): void => undefined;

/** A logger that says nothing. */
export const silentLogger: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** What is used when the host gives no logger: warnings and errors on the console, nothing else. */
export const defaultLogger = (): Logger => ({
  debug: nothing,
  info: nothing,
  // The last resort of an operator who configured nothing.
  // oxlint-disable-next-line no-console
  warn: (fields, message) => console.warn(message, fields),
  // The last resort of an operator who configured nothing.
  // oxlint-disable-next-line no-console
  error: (fields, message) => console.error(message, fields),
});
