import { PortalFailure } from '../http/portalFailure.ts';
import type { PortalMiddleware } from '../http/respond.ts';
import type { Services } from '../services.ts';

/**
 * Rejects requests that a web page of another origin could send, by its Origin header or by a host name that was
 * rebound to this machine. Pages of the portal itself are same-origin; IP addresses cannot be rebound but names can, so
 * only the portal's own names are allowed. JSON bodies need a CORS preflight, which is never granted.
 */
export const refuseForeignPages =
  (services: Services): PortalMiddleware =>
  (context, next) => {
    const { request } = context.var;
    const origin = request.headers['origin'];
    const host = request.headers['host']?.toLowerCase();
    const isPublic = host === new URL(services.apiUrl).host;
    const isOwnOrigin =
      origin === undefined || origin === `http://${host}` || (isPublic && origin === services.apiUrl);
    if (services.isOwnHost(host) && isOwnOrigin) return next();
    throw new PortalFailure(
      'The control interface only accepts requests from programs and its own console.',
      { status: 403, code: 'forbidden' },
    );
  };
