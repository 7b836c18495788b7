import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, MiddlewareHandler } from 'hono';
import type { PortalReply } from './portalReply.ts';
import type { PortalRequest } from './portalRequest.ts';

/** Types of the app's context. */
export interface PortalEnv {
  readonly Bindings: HttpBindings;
  readonly Variables: {
    request: PortalRequest;
    /** What is sent. */
    reply?: PortalReply;
    /** Names of the faults that changed the response, for the log. */
    fault?: string;
  };
}

/** Context of one request. */
export type PortalContext = Context<PortalEnv>;
/** A middleware of the app. */
export type PortalMiddleware = MiddlewareHandler<PortalEnv>;

/** A route of the portal, with `{names}` in its path. */
export interface AppRoute {
  readonly method: string;
  readonly path: string;
  readonly answer: (
    request: PortalRequest,
    params: Readonly<Record<string, string>>,
    context: PortalContext,
  ) => PortalReply | Response | Promise<PortalReply | Response>;
}

/** Sends a reply, once everything has seen it. */
export const send = (context: PortalContext, reply: PortalReply): Response => {
  context.set('reply', reply);
  return RESPONSE_ALREADY_SENT;
};

/**
 * Writes the reply of a request, unless a fault has the connection. A `Response` would be read as a
 * stream again, which costs as much as all of the rest.
 */
export const writeReply: PortalMiddleware = async (context, next) => {
  await next();
  const { reply } = context.var;
  const { outgoing } = context.env;
  if (reply === undefined || outgoing.headersSent) return;
  const { status, headers } = reply;
  // Node would encode a string twice: for its length, and while it writes.
  const body = Buffer.from(reply.body);
  const length = status === 204 || status === 304 ? {} : { 'content-length': body.length };
  const { requestId } = context.var.request;
  outgoing.writeHead(status, { 'x-request-id': requestId, ...headers, ...length }).end(body);
};
