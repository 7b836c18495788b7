import { STATUS_CODES } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { embeddingKeyHeader } from '@vitrine/contract/service';
import { credentialOf, findCaller } from '../callers.ts';
import { PortalFailure } from '../http/portalFailure.ts';
import { htmlReply, type PortalReply } from '../http/portalReply.ts';
import type { PortalRequest } from '../http/portalRequest.ts';
import { type PortalMiddleware, send } from '../http/respond.ts';
import { isLogged } from '../logs/logRequests.ts';
import { failureReply } from '../service/dialects.ts';
import type { Services } from '../services.ts';
import type { FaultRegistry } from './createFaults.ts';
import type { FaultEffect } from './fault.ts';

/** A gateway in front of the service sends these, as a page. With a message of its own, a fault is an error of the service. */
const gatewayStatuses: readonly number[] = [502, 503, 504];

const statusReply = (
  { status, message, retryAfterSeconds }: Extract<FaultEffect, { kind: 'status' }>,
  request: PortalRequest,
): PortalReply => {
  const headers = {
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...(status === 401 && { 'www-authenticate': 'Bearer realm="vitrine portal"' }),
  };
  if (message === undefined && gatewayStatuses.includes(status)) {
    const title = `${status} ${STATUS_CODES[status]}`;
    return htmlReply(status, `<!doctype html><title>${title}</title><h1>${title}</h1>`, headers);
  }
  const text = message ?? `An injected fault responds with ${status}.`;
  const failure = new PortalFailure(text, { status, code: 'injected_fault', headers });
  return failureReply(failure, request);
};

const find = <TKind extends FaultEffect['kind']>(effects: readonly FaultEffect[], kind: TKind) =>
  effects.find((effect): effect is Extract<FaultEffect, { kind: TKind }> => effect.kind === kind);

/** The request without the headers that some proxies drop. */
const withoutDottedHeaders = (request: PortalRequest): PortalRequest => {
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !name.includes('.')));
  return { ...request, headers };
};

const tenancyOf = async (services: Services, request: PortalRequest): Promise<string | undefined> => {
  if (request.tenancyName !== undefined) return request.tenancyName;
  const sent =
    credentialOf(request.headers['authorization'], 'Bearer') ??
    credentialOf(request.headers[embeddingKeyHeader.toLowerCase()], 'ApiKey');
  return sent === undefined ? undefined : (await findCaller(services.db, sent))?.tenant.tenancyName;
};

/** Dependencies of {@link injectFaults}. */
export interface FaultOptions {
  readonly services: Services;
  readonly faults: FaultRegistry;
}

/** Applies the active faults to each request of the service. */
export const injectFaults =
  ({ services, faults }: FaultOptions): PortalMiddleware =>
  async (context, next) => {
    const { request } = context.var;
    if (!isLogged(request)) return next();
    const { method, path, trace } = request;
    const isNamed = faults.list().some(({ fault }) => fault.tenancyName !== undefined);
    const tenancyName = isNamed ? await tenancyOf(services, request) : undefined;
    if (tenancyName !== undefined) trace.tenancyName = tenancyName;
    const effects = faults.effectsOn({ kind: 'request', method, path, tenancyName });
    if (effects.length === 0) return next();
    context.set('fault', effects.map((effect) => effect.kind).join(', '));
    for (const effect of effects)
      if (effect.kind === 'delay') await setTimeout(effect.delayMs, undefined, { ref: false });
    const { incoming, outgoing } = context.env;
    if (find(effects, 'drop') !== undefined) {
      incoming.socket.destroy();
      return RESPONSE_ALREADY_SENT;
    }
    // Never answered: the connection stays open until the sender or the portal closes it.
    if (find(effects, 'hang') !== undefined) return RESPONSE_ALREADY_SENT;
    const status = find(effects, 'status');
    if (status !== undefined) return send(context, statusReply(status, request));
    if (find(effects, 'dropDottedHeaders') !== undefined)
      context.set('request', withoutDottedHeaders(request));
    await next();
    const { reply } = context.var;
    if (reply === undefined) return undefined;
    if (find(effects, 'wrongType') !== undefined) {
      context.set('reply', htmlReply(200, '<!doctype html><title>Sign in</title><h1>Sign in</h1>'));
      return undefined;
    }
    const truncate = find(effects, 'truncate');
    if (truncate === undefined) return undefined;
    const body = Buffer.from(reply.body);
    const kept = Math.min(truncate.bytes ?? Math.floor(body.length / 2), Math.max(body.length - 1, 0));
    outgoing.writeHead(reply.status, { ...reply.headers, 'content-length': String(body.length) });
    outgoing.write(body.subarray(0, kept), () => incoming.socket.destroy());
    return undefined;
  };
