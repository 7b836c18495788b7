import type { ErrorReading } from '../dialect/readError.ts';
import type { PortalErrorKind } from './portalError.ts';

const byStatus: Readonly<Record<number, PortalErrorKind>> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  408: 'timeout',
  409: 'conflict',
  410: 'not_found',
  412: 'conflict',
  413: 'invalid',
  415: 'invalid',
  422: 'invalid',
  429: 'rate_limited',
};

/** Kind of a refused call, from its status and what its body says. */
export const errorKind = (status: number, reading: ErrorReading): PortalErrorKind => {
  if (reading.isUnauthorized && status < 400) return 'unauthorized';
  if (reading.isVerdict && (status < 400 || status >= 500)) return 'business';
  const kind = byStatus[status];
  if (kind !== undefined) return kind;
  if (status >= 500) return 'server';
  return status >= 400 ? 'invalid' : 'invalid_response';
};

/** What a person can do about a kind of failure; part of every message. */
export const adviceFor: Readonly<Partial<Record<PortalErrorKind, string>>> = {
  invalid: 'Correct the fields named in validationErrors.',
  unauthorized: 'Check the API key: the portal does not accept it.',
  forbidden: 'Give the API key the permission this call needs.',
  not_found: 'Check the identifier, the tenant and the base address.',
  conflict: 'Something with this identity exists already, or it changed meanwhile: read it again.',
  rate_limited: 'Send fewer requests, or set requestsPerSecond.',
  business: 'The portal itself refused this; a repetition will not help.',
  server: 'The portal failed; try again later.',
};
