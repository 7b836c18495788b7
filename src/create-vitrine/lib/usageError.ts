/** What the person can correct: its message is all that is shown. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
