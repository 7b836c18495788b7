/** Writes what was thrown as one line of text. */
export type MessageOf = (thrown: unknown) => string;

/** The words of a database or a disk. */
export const messageOf: MessageOf = (thrown) => (thrown instanceof Error ? thrown.message : String(thrown));

/**
 * Makes messages of the host's own code safe to log and to store: without the secrets that `redact` knows, credentials, tokens
 * and URL queries, at most 300 characters.
 */
export const createHostMessageOf =
  (redact: (text: string) => string): MessageOf =>
  (thrown) => {
    try {
      return redact(messageOf(thrown));
    } catch {
      // Anything can be thrown, and nothing of it may cost the deliveries that are settled beside this one.
      return 'something that cannot be written as text';
    }
  };
