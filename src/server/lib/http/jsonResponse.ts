import type { HostResponse } from '../exchange/hostExchange.ts';
import { privateHeaders } from '../exchange/privateHeaders.ts';

/** A successful response with a value as JSON. */
export const jsonResponse = (value: object): HostResponse => {
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
