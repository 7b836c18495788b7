import { isItemId, maxKeysPerRequest } from '@vitrine/contract';
import type { BodyReading } from '../exchange/hostExchange.ts';

type WholeBody = Exclude<BodyReading, { kind: 'gone' | 'late' }>;

/** The content of a key request, or its problem. */
export type KeyRequestReading =
  | { readonly kind: 'one'; readonly itemId: number }
  | { readonly kind: 'batch'; readonly itemIds: readonly number[] }
  | {
      readonly kind: 'problem';
      readonly code: 'invalid_request' | 'invalid_item_id' | 'request_too_large';
      readonly detail: string;
    };

const problem = (code: 'invalid_request' | 'invalid_item_id', detail: string): KeyRequestReading => ({
  kind: 'problem',
  code,
  detail,
});

const parse = (text: string): unknown => {
  try {
    // Some clients send a byte order mark, which web-standard requests remove.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
};

const readBatch = (itemIds: unknown): KeyRequestReading => {
  if (!Array.isArray(itemIds) || itemIds.length === 0 || itemIds.length > maxKeysPerRequest)
    return problem('invalid_request', `"itemIds" must be an array of 1 to ${maxKeysPerRequest} item IDs.`);
  return itemIds.every(isItemId)
    ? { kind: 'batch', itemIds }
    : problem('invalid_item_id', '"itemIds" must contain only positive whole numbers, such as [1042, 1043].');
};

/** Reads the body of `POST {endpoint}/keys`: an object with `itemId`, or with `itemIds`, and nothing else. */
export const readKeyRequest = (reading: WholeBody): KeyRequestReading => {
  if (reading.kind === 'too_large')
    return {
      kind: 'problem',
      code: 'request_too_large',
      detail: 'The body of a key request must not exceed 2,048 bytes.',
    };
  const body = reading.kind === 'text' ? parse(reading.text) : reading.value;
  if (body === undefined && reading.kind === 'parsed')
    return problem(
      'invalid_request',
      'The body is missing because something else read it first. Mount Vitrine before other body parsers.',
    );
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return problem('invalid_request', 'The body must be a JSON object such as {"itemId":1042}.');
  const names = Object.keys(body);
  if (!names.includes('itemId') && !names.includes('itemIds'))
    return problem('invalid_request', 'The body lacks "itemId", the ID of the report.');
  if (names.length > 1)
    return problem(
      'invalid_request',
      'The body must contain only "itemId" or "itemIds". The server decides who the viewer is and which roles apply.',
    );
  // The check above guarantees one of the two.
  const { itemId, itemIds } = body as { itemId: unknown; itemIds: unknown };
  if (names[0] === 'itemIds') return readBatch(itemIds);
  return isItemId(itemId)
    ? { kind: 'one', itemId }
    : problem('invalid_item_id', '"itemId" must be a positive whole number, such as 1042.');
};
