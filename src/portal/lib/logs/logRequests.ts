import { createEncryptedKeyPath } from '@vitrine/contract/service';
import type { PortalClock } from '../clock/portalClock.ts';
import type { PortalRequest } from '../http/portalRequest.ts';
import type { PortalMiddleware } from '../http/respond.ts';
import type { RequestLog } from './requestLog.ts';

/** The kind of a request in the log. */
const kindOf = ({ tenancyName, path }: PortalRequest): string => {
  if (tenancyName !== undefined)
    return path.endsWith('/actions') ? 'action' : path.startsWith('/report/') ? 'report' : 'other';
  if (path === createEncryptedKeyPath) return 'mint';
  return path.startsWith('/v1/') ? 'administration' : 'other';
};

const consolePaths = new Set(['/', '/docs', '/docs/control', '/openapi.json', '/favicon.ico']);

/**
 * Whether a request belongs to the service, is logged and can have faults: not page files and key checks, which would
 * flood the log, nor the console and its control interface.
 */
export const isLogged = ({ path, tenancyName }: PortalRequest): boolean => {
  if (path.startsWith('/_assets/')) return false;
  return tenancyName === undefined
    ? !consolePaths.has(path) && !path.startsWith('/_control/')
    : !path.endsWith('/session');
};

interface LogOptions {
  readonly services: { readonly clock: Pick<PortalClock, 'now'> };
  readonly requests: RequestLog;
}

/** Logs each request of the service with its response. */
export const logRequests =
  ({ services, requests }: LogOptions): PortalMiddleware =>
  async (context, next) => {
    const { request } = context.var;
    if (!isLogged(request)) return next();
    const startedMs = performance.now();
    const atMs = services.clock.now();
    await next();
    const { trace } = request;
    requests.add({
      atMs,
      tenancyName: trace.tenancyName ?? request.tenancyName ?? null,
      kind: kindOf(request),
      request,
      reply: context.var.reply,
      durationMs: performance.now() - startedMs,
      fault: context.var.fault ?? null,
    });
    return undefined;
  };
