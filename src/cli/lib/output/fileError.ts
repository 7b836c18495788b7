import { UsageError } from './usageError.ts';

/** Whether an error of a file or a socket has this code: `ENOENT`. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Creates the error of a file that could not be read or written, with the name that the user gave. */
export const fileError = (
  task: `${'read' | 'write' | 'save'} ${string}`,
  error: unknown,
  next: string,
): UsageError => {
  const reason = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  const advice = hasCode(error, 'ENOSPC')
    ? 'The disk is full: free some space, and run the same command again.'
    : next;
  return new UsageError(`Could not ${task}${reason}. ${advice}`, { cause: error });
};
