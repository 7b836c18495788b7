import { isRecord, member } from '../dialect/jsonValues.ts';

// Base64, base64url, JWT and hex all fit; white space, quotes and line breaks do not.
const notInKeys = /[^\x21\x23-\x26\x28-\x5b\x5d-\x7e]/;
const maxKeyLength = 16_384;

/** The encrypted key of an envelope with `success: true`; undefined if there is no valid one. */
export const readKey = (body: unknown): string | undefined => {
  if (!isRecord(body) || member(body, 'success') !== true) return undefined;
  const result = member(body, 'result');
  const key = isRecord(result) ? member(result, 'key') : undefined;
  return typeof key === 'string' && key !== '' && key.length <= maxKeyLength && !notInKeys.test(key)
    ? key
    : undefined;
};
