import { apiKeyHeader, createEncryptedKeyPath, tenantIdHeader } from '@vitrine/contract/service';
import { credentialOf } from '../auth/apiKeyChecks.ts';
import { applyRequestFaults } from '../faults/applyRequestFaults.ts';
import type { FaultRegistry } from '../faults/createFaults.ts';
import type { Answer } from '../http/createPortalServer.ts';
import type { PortalReply, PortalStream } from '../http/portalReply.ts';
import type { PortalRequest } from '../http/portalRequest.ts';
import type { RequestLog } from '../logs/requestLog.ts';
import type { Services } from '../services.ts';
import { findTenantById } from '../tenants/findTenants.ts';
import type { AnswerRequest } from './answerRequest.ts';

/** The layer between the socket and the service: faults and the log. */
export interface AnswerIncomingOptions {
  readonly services: Services;
  readonly faults: FaultRegistry;
  readonly requests: RequestLog;
  readonly answer: AnswerRequest;
  /** Waits in real milliseconds. */
  readonly pause: (delayMs: number) => Promise<void>;
  readonly onError: (error: unknown, requestId: string) => void;
}

/** The kind of a request in the log. */
const kindOf = (request: PortalRequest): string => {
  if (request.tenancyName !== undefined)
    return request.path.endsWith('/actions')
      ? 'action'
      : request.path.startsWith('/report/')
        ? 'report'
        : 'other';
  if (request.path === createEncryptedKeyPath) return 'mint';
  return request.path.startsWith('/v1/') ? 'administration' : 'other';
};

const consolePaths = new Set(['/', '/docs', '/docs/try', '/openapi.json', '/favicon.ico']);

/**
 * Whether to log a request and apply faults to it: not for page files and key checks, which would flood the log, nor
 * for the console, which is not part of the service.
 */
const isLogged = (request: PortalRequest): boolean => {
  if (request.path.startsWith('/_assets/')) return false;
  return request.tenancyName === undefined
    ? !consolePaths.has(request.path)
    : !request.path.endsWith('/session');
};

const tenancyOf = async (services: Services, request: PortalRequest): Promise<string | undefined> => {
  if (request.tenancyName !== undefined) return request.tenancyName;
  const sent =
    credentialOf(request.header('authorization'), 'Bearer') ??
    credentialOf(request.header(apiKeyHeader), 'ApiKey');
  const caller = sent === undefined ? undefined : await services.callers.find(sent);
  if (caller !== undefined) return caller.tenant.tenancyName;
  const id = Number(request.header(tenantIdHeader));
  return Number.isSafeInteger(id) && id < 2 ** 31
    ? (await findTenantById(services.db, id))?.tenancyName
    : undefined;
};

/** Creates the function that answers HTTP requests, with faults and a log entry. */
export const createAnswerIncoming = (options: AnswerIncomingOptions): Answer => {
  const { services, faults, requests, answer } = options;
  return async ({ request, isTooLarge, raw }) => {
    const startedMs = performance.now();
    const atMs = services.clock.now();
    const tenancyName = faults.namesTenants() ? await tenancyOf(services, request) : undefined;
    const effects = isLogged(request)
      ? faults.effectsOn({ kind: 'request', method: request.method, path: request.path, tenancyName })
      : [];
    let seen: PortalReply | PortalStream | undefined;
    const reply =
      effects.length === 0
        ? await answer({ request, isTooLarge })
        : await applyRequestFaults({ request, effects, raw, pause: options.pause }, async (changed) => {
            seen = await answer({ request: changed, isTooLarge });
            return seen;
          });
    if (request.trace.error !== undefined) options.onError(request.trace.error, request.requestId);
    if (isLogged(request))
      requests.add({
        atMs,
        tenancyName: request.trace.tenant?.tenancyName ?? request.tenancyName ?? tenancyName ?? null,
        kind: kindOf(request),
        request,
        reply: reply ?? seen,
        durationMs: performance.now() - startedMs,
        fault: effects.length === 0 ? null : effects.map((effect) => effect.kind).join(', '),
      });
    return reply;
  };
};
