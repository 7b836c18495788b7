/** Something about the command line itself is wrong; its message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
