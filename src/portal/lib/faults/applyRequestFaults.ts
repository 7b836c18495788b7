import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { PortalFailure } from '../http/portalFailure.ts';
import { htmlReply, type PortalReply, type PortalStream } from '../http/portalReply.ts';
import type { PortalRequest } from '../http/portalRequest.ts';
import { dialectOf, failureReply } from '../service/dialects.ts';
import type { FaultEffect } from './fault.ts';

/** A request with its faults. */
export interface FaultedRequest {
  readonly request: PortalRequest;
  readonly effects: readonly FaultEffect[];
  readonly raw: { readonly message: IncomingMessage; readonly response: ServerResponse };
  /** Waits in real time; never rejects. */
  readonly pause: (delayMs: number) => Promise<void>;
}

const statusMessages: Readonly<Record<number, string>> = {
  401: 'The API key is unknown or revoked.',
  403: 'The API key lacks a permission.',
  429: 'Too many requests.',
};

/** A gateway in front of the service sends these, as a page. With a message of its own, a fault is an error of the service. */
const gatewayStatuses: readonly number[] = [502, 503, 504];

const statusReply = (
  { status, message, retryAfterSeconds }: Extract<FaultEffect, { kind: 'status' }>,
  { path, requestId }: PortalRequest,
): PortalReply => {
  const headers = {
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...(status === 401 && { 'www-authenticate': 'Bearer realm="vitrine portal"' }),
  };
  if (message === undefined && gatewayStatuses.includes(status)) {
    const title = `${status} ${STATUS_CODES[status]}`;
    return htmlReply(status, `<!doctype html><title>${title}</title><h1>${title}</h1>`, headers);
  }
  const text = message ?? statusMessages[status] ?? `An injected fault responds with ${status}.`;
  const failure = new PortalFailure(text, { status, code: 'injected_fault', headers });
  return failureReply(failure, dialectOf(path), requestId);
};

const find = <TKind extends FaultEffect['kind']>(effects: readonly FaultEffect[], kind: TKind) =>
  effects.find((effect): effect is Extract<FaultEffect, { kind: TKind }> => effect.kind === kind);

/** The request for the operation: headers dropped, or the previous page instead of the requested one. */
const changedRequest = (request: PortalRequest, effects: readonly FaultEffect[]): PortalRequest => {
  let changed = request;
  if (find(effects, 'dropDottedHeaders') !== undefined) {
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !name.includes('.')),
    );
    changed = { ...changed, headers, header: (name) => headers[name.toLowerCase()] };
  }
  const page = Number(request.query.get('page') ?? 1);
  if (find(effects, 'stalePage') !== undefined && page > 1) {
    const query = new URLSearchParams(request.query);
    query.set('page', String(page - 1));
    changed = { ...changed, query };
  }
  const early = find(effects, 'endKeyEarly');
  return early === undefined ? changed : { ...changed, endKeyAfterMs: early.afterMs };
};

/** Applies the faults to a request; without any, it is answered normally. */
export const applyRequestFaults = async (
  { request, effects, raw, pause }: FaultedRequest,
  answer: (request: PortalRequest) => Promise<PortalReply | PortalStream>,
): Promise<PortalReply | PortalStream | undefined> => {
  for (const effect of effects) if (effect.kind === 'delay') await pause(effect.delayMs);
  if (find(effects, 'drop') !== undefined) {
    raw.message.socket.destroy();
    return undefined;
  }
  // Never answered: the connection stays open until the sender or the portal closes it.
  if (find(effects, 'hang') !== undefined) return undefined;
  const status = find(effects, 'status');
  if (status !== undefined) return statusReply(status, request);
  const reply = await answer(changedRequest(request, effects));
  if ('open' in reply) return reply;
  if (find(effects, 'wrongType') !== undefined)
    return htmlReply(200, '<!doctype html><title>Sign in</title><h1>Sign in</h1>');
  const truncate = find(effects, 'truncate');
  if (truncate === undefined) return reply;
  const body = Buffer.from(reply.body);
  const kept = Math.min(truncate.bytes ?? Math.floor(body.length / 2), Math.max(body.length - 1, 0));
  raw.response.writeHead(reply.status, { ...reply.headers, 'content-length': String(body.length) });
  raw.response.write(body.subarray(0, kept), () => raw.message.socket.destroy());
  return undefined;
};
