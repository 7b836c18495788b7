import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib';
import type { StoredDelivery } from '../inbox/actionInbox.ts';

/** Most bytes a compressed body may grow to: a small one must not fill the memory. */
const maxOutputLength = 64 * 1024 * 1024;

type Unpack = (raw: Uint8Array, limit: Pick<ZlibOptions, 'maxOutputLength'>) => Uint8Array;

/** What each `Content-Encoding` may mean. Some senders of `deflate` leave its wrapping out, as browsers know. */
const unpackers: ReadonlyMap<string, readonly Unpack[]> = new Map([
  ['gzip', [gunzipSync]],
  ['x-gzip', [gunzipSync]],
  ['deflate', [inflateSync, inflateRawSync]],
  ['br', [brotliDecompressSync]],
]);

/** The digits that count in a number, without its sign, its point, its exponent and zeros at either end. */
const digitsOf = (number: string): string =>
  number.replace(/e.*$/i, '').replaceAll(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');

/** Whether a double holds a number of JSON as it was written. Fractions may be rounded, as they are in the sender. */
const isKept = (token: string): boolean => {
  const value = Number(token);
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return true;
  return Number.isFinite(value) && !/^-?\d+$/.test(token) && digitsOf(token) === digitsOf(String(value));
};

const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses JSON; a number that a double would change becomes a string, as it was written. Written again and not revived,
 * because a reviver calls itself for each level of a value.
 */
const parseText = (text: string): unknown => {
  const body: unknown = JSON.parse(text);
  if (!/\d{15}|\d[eE]/.test(text)) return body;
  return JSON.parse(
    text.replaceAll(stringOrNumber, (token) =>
      token.startsWith('"') || isKept(token) ? token : `"${token}"`,
    ),
  );
};

/** What a stored body turned out to be. */
export type ReadBody =
  | { readonly isOk: true; readonly body: unknown }
  | { readonly isOk: false; readonly reason: string };

const isTooLong = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';

/** Unpacks and parses a stored body. A proxy may have unpacked it and left the header, so it is also read as it is. */
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
