import type { TextHeaders } from './textHeaders.ts';

const names = ['x-request-id', 'request-id', 'x-correlation-id', 'x-amzn-requestid', 'cf-ray'];

/** The service's own identifier of a request, from its headers. */
export const requestIdOf = (headers: TextHeaders): string | undefined => {
  for (const name of names) {
    const value = headers[name];
    if (typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value)) return value;
  }
  return undefined;
};
