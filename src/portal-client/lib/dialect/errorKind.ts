import type { PortalErrorKind } from '../errors/portalError.ts';
import type { ErrorReading } from './readError.ts';

const byStatus: Readonly<Record<string, PortalErrorKind>> = {
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

/**
 * Kind of error of a failed request. An envelope takes precedence over the status: `success: false` is the portal's own
 * permanent decision, with status 200 or 500; a 5xx without it may be transient.
 */
export const errorKind = (status: number, reading: ErrorReading): PortalErrorKind => {
  if (reading.isRefusal) {
    const code =
      reading.code !== undefined && Object.hasOwn(byStatus, reading.code) ? reading.code : String(status);
    if (reading.isUnauthorized && code !== '403') return 'unauthorized';
    return byStatus[code] ?? 'business';
  }
  const kind = byStatus[status];
  if (kind !== undefined) return kind;
  if (status >= 500) return 'server';
  return status >= 400 ? 'invalid' : 'invalid_response';
};
