import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

/** The body exceeds the size limit. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

const decoders: Readonly<
  Record<string, (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer>
> = { gzip: gunzipSync, 'x-gzip': gunzipSync, deflate: inflateSync, br: brotliDecompressSync };

/**
 * Decodes a body to text. We request `identity`, but some gateways compress anyway. Throws {@link BodyTooLargeError}
 * above `maxBytes` of text, and zlib's error for a damaged body or an unknown encoding.
 */
export const decodeBody = (bytes: Buffer, encoding: string | undefined, maxBytes: number): string => {
  let decoded = bytes;
  // Encodings are listed in the order in which they were applied.
  for (const name of encoding?.toLowerCase().split(',').toReversed() ?? []) {
    const decode = decoders[name.trim()];
    if (decode === undefined || decoded.length === 0) continue;
    try {
      decoded = decode(decoded, { maxOutputLength: maxBytes });
    } catch (error) {
      if (error instanceof RangeError) throw new BodyTooLargeError();
      throw error;
    }
  }
  const text = decoded.toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
};
