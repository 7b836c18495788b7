/** A mistake of the user: only the message is shown. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
