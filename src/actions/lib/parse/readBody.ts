import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib';
import type { StoredDelivery } from '../inbox/actionInbox.ts';

/** Maximum decompressed size in bytes: a small body must not fill the memory. */
const maxOutputLength = 64 * 1024 * 1024;

type Unpack = (raw: Uint8Array, limit: Pick<ZlibOptions, 'maxOutputLength'>) => Uint8Array;

/** Decoders of each `Content-Encoding`. Some senders of `deflate` omit the zlib header, which browsers also accept. */
const unpackers: ReadonlyMap<string, readonly Unpack[]> = new Map([
  ['gzip', [gunzipSync]],
  ['x-gzip', [gunzipSync]],
  ['deflate', [inflateSync, inflateRawSync]],
  ['br', [brotliDecompressSync]],
]);

/** The significant digits of a number, without sign, point, exponent and zeros at either end. */
const digitsOf = (number: string): string =>
  number.replace(/e.*$/i, '').replaceAll(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');

/** Whether a double represents a JSON number exactly. Fractions may be rounded, as in the sender. */
const isKept = (token: string): boolean => {
  const value = Number(token);
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return true;
  return Number.isFinite(value) && !/^-?\d+$/.test(token) && digitsOf(token) === digitsOf(String(value));
};

/** A number that a double may change. An exponent counts only where a value starts: most GUIDs contain digits and an `e`. */
const mayChange = /\d{15}|(?:^|[:,[\s])-?\d[\d.]*[eE]/;

const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses JSON; a number that a double would change becomes a string of its digits. Rewrites the text first, because a
 * reviver recurses for each level of a value.
 */
const parseText = (text: string): unknown => {
  const body: unknown = JSON.parse(text);
  if (!mayChange.test(text)) return body;
  return JSON.parse(
    text.replaceAll(stringOrNumber, (token) =>
      token.startsWith('"') || isKept(token) ? token : `"${token}"`,
    ),
  );
};

/** The result of reading a stored body. */
export type ReadBody =
  | { readonly isOk: true; readonly body: unknown }
  | { readonly isOk: false; readonly reason: string };

const isTooLong = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';

/**
 * Decompresses and parses a stored body. A proxy may have decompressed it and kept the header, so it is also read
 * unchanged.
 */
export const readBody = ({ raw, encoding }: Pick<StoredDelivery, 'raw' | 'encoding'>): ReadBody => {
  let reason = 'The body is not JSON.';
  for (const unpack of [...(unpackers.get((encoding ?? '').trim().toLowerCase()) ?? []), () => raw]) {
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(unpack(raw, { maxOutputLength }));
      return { isOk: true, body: parseText(text) };
    } catch (error) {
      // The parser's own message may quote the body.
      if (isTooLong(error)) reason = `The decompressed body has more than ${maxOutputLength} bytes.`;
    }
  }
  return { isOk: false, reason };
};
