import { isItemId } from '@vitrine/contract';
import type { BodyReading } from '../http/hostExchange.ts';

type WholeBody = Exclude<BodyReading, { kind: 'gone' }>;

/** An accepted Item ID, or the code and sentence of the refusal. */
export type KeyRequestReading =
  | { readonly itemId: number }
  | { readonly code: 'invalid_request' | 'invalid_item_id' | 'request_too_large'; readonly detail: string };

const refused = (code: 'invalid_request' | 'invalid_item_id', detail: string): KeyRequestReading => ({
  code,
  detail,
});

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Reads the body of `POST {endpoint}/keys`: an object with `itemId` and nothing else. */
export const readKeyRequest = (reading: WholeBody): KeyRequestReading => {
  if (reading.kind === 'too_large')
    return { code: 'request_too_large', detail: 'The body of a key request has at most 2,048 bytes.' };
  const body = reading.kind === 'text' ? parse(reading.text) : reading.value;
  if (body === undefined && reading.kind === 'parsed')
    return refused(
      'invalid_request',
      'The body was read before it came here, and nothing was left of it. Mount Vitrine before other body parsers.',
    );
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return refused('invalid_request', 'The body must be a JSON object such as {"itemId":1042}.');
  const names = Object.keys(body);
  if (!names.includes('itemId'))
    return refused('invalid_request', 'The body lacks "itemId", the number of the report.');
  if (names.length > 1)
    return refused(
      'invalid_request',
      'The body holds more than "itemId". Who the viewer is and which roles apply is decided by the server alone.',
    );
  // `itemId` is an own key: it was listed above.
  const { itemId } = body as { itemId: unknown };
  return isItemId(itemId)
    ? { itemId }
    : refused('invalid_item_id', '"itemId" must be a positive whole number, such as 1042.');
};
