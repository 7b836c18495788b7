import type { Readable } from 'node:stream';

/** The body was longer than the client reads. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

/** Reads a body to its end as UTF-8, and stops with {@link BodyTooLargeError} past `maxBytes`. */
export const readBody = async (body: Readable, maxBytes: number): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    const piece = Buffer.from(chunk);
    bytes += piece.length;
    // Leaving the loop destroys the stream, and with it the connection.
    if (bytes > maxBytes) throw new BodyTooLargeError();
    chunks.push(piece);
  }
  const text = (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString('utf8') ?? '';
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
};

/** The JSON of a text. `isJson` is false for HTML, plain text or a body cut short; an empty text is nothing at all. */
export const parseJson = (
  text: string,
): { readonly isJson: true; readonly value: unknown } | { readonly isJson: false } => {
  if (text.trim() === '') return { isJson: true, value: undefined };
  try {
    return { isJson: true, value: JSON.parse(text) };
  } catch {
    return { isJson: false };
  }
};
