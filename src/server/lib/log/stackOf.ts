/**
 * The frames of an error's stack, without the message, which may quote anything and is logged redacted. Undefined if
 * there are none.
 */
export const stackOf = (error: unknown): string | undefined => {
  try {
    return framesOf(error);
  } catch {
    // A getter of the host's error threw.
    return undefined;
  }
};

const framesOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return undefined;
  const start = error.message === '' ? 0 : error.stack.indexOf(error.message) + error.message.length;
  const frames = error.stack
    .slice(start)
    .split('\n')
    .filter((line) => /^\s+at /.test(line));
  return frames.length === 0 ? undefined : frames.map((line) => line.trim()).join('\n');
};
