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
 * Kind of a refused request. An envelope is judged before the status: `success: false` is the portal's own decision and
 * permanent, whether it came with 200 or with 500; a 5xx without it may pass.
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
