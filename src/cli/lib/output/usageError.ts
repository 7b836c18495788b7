/** The command line is not valid; the message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A prompt was canceled. */
export class CanceledError extends Error {
  override readonly name = 'CanceledError';
}
