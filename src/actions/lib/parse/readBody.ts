import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib';
import type { StoredDelivery } from '../inbox/actionInbox.ts';

/** Most bytes a compressed body may grow to: a small one must not fill the memory. */
const maxUnpackedBytes = 64 * 1024 * 1024;

type Unpack = (raw: Uint8Array, limit: Pick<ZlibOptions, 'maxOutputLength'>) => Uint8Array;

/** What each `Content-Encoding` may mean. Some senders of `deflate` leave its wrapping out, as browsers know. */
const unpackers: ReadonlyMap<string, readonly Unpack[]> = new Map([
  ['gzip', [gunzipSync]],
  ['x-gzip', [gunzipSync]],
  ['deflate', [inflateSync, inflateRawSync]],
  ['br', [brotliDecompressSync]],
]);

/** An integer that a double would round keeps its digits, as text. Only bodies with a long run of digits pay for the look. */
const keepDigits = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
    ? context?.source
    : value;

const parseText = (text: string): unknown => JSON.parse(text, /\d{16}/.test(text) ? keepDigits : undefined);

/** `undefined` is no value of JSON, so it means that there is none. The parser's own message may quote the body. */
const parse = (bytes: () => Uint8Array): unknown => {
  try {
    return parseText(new TextDecoder('utf-8', { fatal: true }).decode(bytes()));
  } catch {
    return undefined;
  }
};

/**
 * Unpacks and parses a stored body; `undefined` when it is not JSON. A proxy may have unpacked it and left the header, so it
 * is also read as it is.
 */
export const readBody = ({ raw, encoding }: Pick<StoredDelivery, 'raw' | 'encoding'>): unknown => {
  for (const unpack of unpackers.get((encoding ?? '').trim().toLowerCase()) ?? []) {
    const body = parse(() => unpack(raw, { maxOutputLength: maxUnpackedBytes }));
    if (body !== undefined) return body;
  }
  return parse(() => raw);
};
