/** A run cannot start as it was asked for. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
