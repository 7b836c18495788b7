import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { PortalReply } from './portalReply.ts';
import type { PortalRequest } from './portalRequest.ts';

/** Types of the app's context. */
export interface PortalEnv {
  readonly Bindings: HttpBindings;
  readonly Variables: {
    request: PortalRequest;
    /** What was sent, for the log. */
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

/** A reply as the platform's response. */
export const toResponse = ({ status, headers, body }: PortalReply): Response => {
  if (status === 204 || status === 304) return new Response(null, { status, headers });
  const content = typeof body === 'string' ? body : new Uint8Array(body);
  return new Response(content, {
    status,
    headers: { ...headers, 'content-length': String(Buffer.byteLength(content)) },
  });
};

/** Sends a reply. */
export const send = (context: PortalContext, reply: PortalReply): Response => {
  context.set('reply', reply);
  return toResponse(reply);
};

/** Sends a reply instead of the present one. */
export const sendInstead = (context: PortalContext, reply: PortalReply): void => {
  context.res = undefined;
  context.res = send(context, reply);
};
