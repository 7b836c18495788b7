import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib';
import type { StoredDelivery } from '../inbox/actionInbox.ts';

type Encoded = Pick<StoredDelivery, 'raw' | 'encoding'>;
type Unpack = (raw: Uint8Array, limit: Pick<ZlibOptions, 'maxOutputLength'>) => Uint8Array;

/** Decoders of each `Content-Encoding`. Some senders of `deflate` omit the zlib header, which browsers also accept. */
const unpackers: ReadonlyMap<string, readonly Unpack[]> = new Map([
  ['gzip', [gunzipSync]],
  ['x-gzip', [gunzipSync]],
  ['deflate', [inflateSync, inflateRawSync]],
  ['br', [brotliDecompressSync]],
]);

const isTooLong = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';

/**
 * Decompresses a body; `undefined` if the result has more bytes than the limit. A body that no decoder can read stays
 * unchanged: a proxy may have decompressed it and kept the header.
 */
export const decompress = ({ raw, encoding }: Encoded, maxOutputLength: number): Uint8Array | undefined => {
  for (const unpack of unpackers.get((encoding ?? '').trim().toLowerCase()) ?? [])
    try {
      return unpack(raw, { maxOutputLength });
    } catch (error) {
      if (isTooLong(error)) return undefined;
    }
  return raw;
};

/** A click has about eight levels, ten to twenty values for each point, and numbers of at most 38 digits. */
const [maxLevels, maxValues, maxDigits] = [100, 250_000, 1000];

/**
 * Why a JSON text is too much to parse, which could block or end the process: how deeply it is nested, how many values
 * it has, or the digits of a number. Reads each byte once.
 */
export const excessOf = (body: Uint8Array): string | undefined => {
  const text = Buffer.from(body).toString('latin1');
  let [levels, values, digits, isInString] = [0, 0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (isInString) {
      isInString = character !== '"';
      // An escaped quote does not end the string.
      if (character === '\\') at += 1;
      continue;
    }
    digits = character >= '0' && character <= '9' ? digits + 1 : 0;
    if (digits > maxDigits) return `has a number of more than ${maxDigits} digits`;
    if (character === '"') isInString = true;
    else if (character === ']' || character === '}') levels -= 1;
    else if (character === '[' || character === '{' || character === ',') {
      values += 1;
      if (character !== ',') levels += 1;
      if (values > maxValues) return `has more than ${maxValues} values`;
      if (levels > maxLevels) return `is nested more than ${maxLevels} levels deep`;
    }
  }
  return undefined;
};

/** The significant digits of a number, without sign, point, exponent and leading zeros. */
const digitsOf = (number: string): string =>
  number.replace(/e.*$/i, '').replaceAll(/[-.]/g, '').replace(/^0+/, '');

/** Whether a double represents a JSON number exactly. Fractions may be rounded, as in the sender. */
const isKept = (value: number, source: string): boolean => {
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return true;
  if (!Number.isFinite(value) || /^-?\d+$/.test(source)) return false;
  const [sent, kept] = [digitsOf(source), digitsOf(String(value))];
  return sent.padEnd(kept.length, '0') === kept.padEnd(sent.length, '0');
};

/** A number that a double may change. An exponent counts only where a value starts: most GUIDs contain digits and an `e`. */
const mayChange = /\d{16}|(?:^|[:,[\s])-?\d[\d.]*[eE]/;

/** Parses JSON; a number that a double would change becomes a string of its digits. */
const parseText = (text: string): unknown => {
  // A reviver takes four times as long.
  if (!mayChange.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_name, value: unknown, context?: { readonly source?: string }) => {
    const { source } = context ?? {};
    return typeof value === 'number' && source !== undefined && !isKept(value, source) ? source : value;
  });
};

/** Maximum decompressed size of a stored body, in bytes. */
const maxBytes = 64 * 1024 * 1024;

/** The result of reading a stored body. */
export type ReadBody =
  | { readonly isOk: true; readonly body: unknown }
  | { readonly isOk: false; readonly reason: string };

/** Decompresses, checks and parses a stored body. */
export const readBody = (delivery: Encoded): ReadBody => {
  const body = decompress(delivery, maxBytes);
  if (body === undefined)
    return { isOk: false, reason: `The decompressed body has more than ${maxBytes} bytes.` };
  const excess = excessOf(body);
  if (excess !== undefined) return { isOk: false, reason: `The body ${excess}.` };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return { isOk: true, body: parseText(text) };
  } catch {
    // The parser's own message may quote the body.
    return { isOk: false, reason: 'The body is not JSON.' };
  }
};
