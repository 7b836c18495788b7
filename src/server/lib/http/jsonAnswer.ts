import type { HostAnswer } from '../exchange/hostExchange.ts';
import { privateHeaders } from '../exchange/privateHeaders.ts';

/** A successful response with a value as JSON. */
export const jsonAnswer = (value: object): HostAnswer => {
  const body = JSON.stringify(value);
  return {
    status: 200,
    headers: {
      ...privateHeaders,
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
    },
    body,
  };
};
