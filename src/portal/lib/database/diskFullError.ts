/** The database's file cannot grow. */
export class DiskFullError extends Error {
  override readonly name = 'DiskFullError';

  constructor(path: string, cause: unknown) {
    super(`The disk is full: free some space for the portal's database ${path}, and try again.`, { cause });
  }
}

const full = 13;
// The memory that connections share is a file, too: it could not grow.
const sharedMemorySize = 4874;

/** Runs a task of SQLite. Throws a `DiskFullError` instead of SQLite's own error if the disk is full. */
export const withDiskFullError = <TResult>(path: string, task: () => TResult): TResult => {
  try {
    return task();
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
    throw (code & 0xff) === full || code === sharedMemorySize ? new DiskFullError(path, error) : error;
  }
};
