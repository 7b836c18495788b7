import { isItemId } from '@vitrine/contract';
import type { BodyReading } from '../exchange/hostExchange.ts';

type WholeBody = Exclude<BodyReading, { kind: 'gone' | 'late' }>;

/** The content of a key request, or its problem. */
export type KeyRequestReading =
  | { readonly kind: 'one'; readonly itemId: number }
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

/** Reads the body of `POST {endpoint}/keys`: an object with `itemId` and nothing else. */
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
  if (!Object.hasOwn(body, 'itemId'))
    return problem('invalid_request', 'The body lacks "itemId", the ID of the report.');
  if (Object.keys(body).length > 1)
    return problem(
      'invalid_request',
      'The body must contain only "itemId". The server decides who the viewer is and which roles apply.',
    );
  const { itemId } = body as { itemId: unknown }; // the check above guarantees it
  return isItemId(itemId)
    ? { kind: 'one', itemId }
    : problem('invalid_item_id', '"itemId" must be a positive whole number, such as 1042.');
};
