const place = /^ +at .*?([\w.-]+\.[cm]?[jt]sx?):(\d+):(\d+)\)?$/;

/**
 * File, line and column where an error was made, such as `server.ts:12:31`, or nothing when it does not tell. Neither the
 * message, which begins the stack and may quote anything, nor the folders on the way are part of it.
 */
export const thrownAt = (error: unknown): string | undefined => {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return undefined;
  const head = error.message === '' ? -1 : error.stack.indexOf(error.message);
  const frames = error.stack.slice(head < 0 ? 0 : head + error.message.length).split('\n');
  const [, file, line, column] =
    frames.map((frame) => place.exec(frame)).find((found) => found !== null) ?? [];
  return file === undefined ? undefined : `${file}:${line}:${column}`;
};
