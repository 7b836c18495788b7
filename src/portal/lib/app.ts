import { randomUUID } from 'node:crypto';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { administrationKeyHeader, createEncryptedKeyPath } from '@vitrine/contract/service';
import { Hono } from 'hono/tiny';
import { getPath } from 'hono/utils/url';
import {
  actorOf,
  type Caller,
  credentialOf,
  findCaller,
  requirePermissions,
  unauthorized,
} from './callers.ts';
import { consoleRoutes } from './console/consoleRoutes.ts';
import { refuseForeignPages } from './control/controlAccess.ts';
import { controlActor } from './control/portalControl.ts';
import { controlPrefix, controlTable, serviceTable } from './control/routes.ts';
import { DiskFullError } from './database/nodeSqlite.ts';
import { isUnavailable } from './database/postgresPool.ts';
import { injectFaults } from './faults/injectFaults.ts';
import { notAllowed, PortalFailure, refusedField } from './http/portalFailure.ts';
import type { PortalRequest } from './http/portalRequest.ts';
import { type AppRoute, type PortalEnv, type PortalMiddleware, send, writeReply } from './http/respond.ts';
import { createEncryptedKey } from './keys/createEncryptedKey.ts';
import { logRequests } from './logs/logRequests.ts';
import { documentationRoutes } from './openapi/documentationRoutes.ts';
import type { PortalParts } from './portalParts.ts';
import { type Route, type RouteInput, runRoute } from './route.ts';
import { failureReply } from './service/dialects.ts';
import { tenantNamed } from './tenant.ts';
import { answerOnTenantOrigin } from './tenantOrigin.ts';

/** Dependencies of {@link createApp}. */
export interface AppOptions extends PortalParts {
  readonly onError: (error: unknown, requestId: string) => void;
}

/** Maximum size of a request body, in bytes; larger ones get 413. */
const maxBodyBytes = 1024 * 1024;

/**
 * Reads the body, which the log keeps. Hono's own limit needs the global `Request` replaced. What exceeds the limit is
 * read and dropped, so that the sender can finish and read the refusal; Node's request timeout ends an endless body.
 */
const readBody: PortalMiddleware = async (context, next) => {
  const { incoming, outgoing } = context.env;
  const { request } = context.var;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= maxBodyBytes) chunks.push(chunk);
    }
  } catch {
    // The sender disconnected; nobody reads a response.
    outgoing.destroy();
    return RESPONSE_ALREADY_SENT;
  }
  if (size > maxBodyBytes)
    throw refusedField(
      413,
      'request_too_large',
      { field: 'body', message: 'is larger than 1 MiB' },
      { headers: { connection: 'close' } },
    );
  request.body = Buffer.concat(chunks);
  return next();
};

const identify =
  ({ services }: AppOptions): PortalMiddleware =>
  (context, next) => {
    const { incoming } = context.env;
    const url = new URL(context.req.url);
    context.set('request', {
      method: context.req.method,
      path: url.pathname,
      query: url.searchParams,
      // Only `set-cookie`, which no client sends, would be a list.
      headers: incoming.headers as Readonly<Record<string, string>>,
      body: Buffer.alloc(0),
      ipAddress: incoming.socket.remoteAddress ?? '',
      requestId: randomUUID(),
      tenancyName: services.tenancyOfHost(incoming.headers.host),
      trace: { notes: [] },
    });
    return next();
  };

const noRoute = (path: string): PortalFailure =>
  new PortalFailure(
    path.startsWith('/report/')
      ? 'There is no report page at this address. Report pages are at the tenant URL (VITRINE_TENANT_URL), not at the URL of the API.'
      : 'There is no route for this path.',
    { status: 404, code: 'route_not_found' },
  );

/** The caller of a request to the service, who holds the permission. */
const authenticate = async (
  { services }: PortalParts,
  request: PortalRequest,
  permission: string,
): Promise<Caller> => {
  const sent = credentialOf(request.headers[administrationKeyHeader.toLowerCase()], 'Bearer');
  if (sent === undefined)
    throw unauthorized('Bearer', 'The header must read "Bearer <API key>" (docs/interface.md#5).');
  const caller = await findCaller(services.db, sent);
  if (caller === undefined) throw unauthorized('Bearer', 'The API key is unknown or revoked.');
  request.trace.tenancyName = caller.tenant.tenancyName;
  requirePermissions(caller.apiKey, [permission]);
  return caller;
};

/** A route of the service or of the control interface in the app. */
const appRoute = (parts: PortalParts, route: Route): AppRoute => {
  const { method, path, scope, service } = route;
  return {
    method,
    path,
    answer: async (request, params) => {
      if (service !== undefined) {
        const { tenant, apiKey } = await authenticate(parts, request, service.permission);
        return runRoute(route, request, { ...parts, params, tenant, actor: actorOf(apiKey, request) });
      }
      return runRoute(route, request, {
        ...parts,
        params,
        actor: { ...controlActor, ipAddress: request.ipAddress },
        ...(scope !== 'portal' && { tenant: await tenantNamed(parts.services.db, params['tenancyName']) }),
        // Only a route of a tenant reads `tenant`.
      } as RouteInput);
    },
  };
};

const addRoutes = (app: Hono<PortalEnv>, routes: readonly AppRoute[]): void => {
  for (const [path, ofPath] of Map.groupBy(routes, (route) => route.path)) {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
    for (const { method, answer } of ofPath)
      app.on(method, pattern, async (context) => {
        const { request } = context.var;
        const params: Record<string, string> = context.req.param();
        if (Object.values(params).some((value) => value.includes('\0'))) throw noRoute(request.path);
        const reply = await answer(request, params, context);
        return reply instanceof Response ? reply : send(context, reply);
      });
    const allowed = ofPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    app.all(pattern, (context) => {
      throw notAllowed(context.req.method, allowed);
    });
  }
};

const toFailure = (error: unknown, { path }: PortalRequest): PortalFailure => {
  if (error instanceof PortalFailure) return error;
  if (isUnavailable(error) || error instanceof DiskFullError)
    return new PortalFailure("The portal's database is not available. Try again in a few seconds.", {
      status: 503,
      code: 'unavailable',
      headers: { 'retry-after': '5' },
      cause: error,
    });
  // The control interface is for developers: they are told what went wrong.
  return path.startsWith(`${controlPrefix}/`)
    ? new PortalFailure(error instanceof Error ? error.message : 'The control interface failed.', {
        status: 400,
        code: 'control_failed',
      })
    : new PortalFailure('The portal failed. Search its log for the request ID.', {
        status: 500,
        code: 'internal_error',
        cause: error,
      });
};

/** Creates the portal's app: one route table for the API, the control interface, the console and the reports. */
export const createApp = (options: AppOptions): Hono<PortalEnv> => {
  const { services, onError } = options;
  // Reports have their own origins, so the host decides which of the two a path belongs to.
  const app = new Hono<PortalEnv>({
    getPath: (request, context) => {
      const host = context?.env?.incoming.headers.host;
      return (services.tenancyOfHost(host) === undefined ? '/api' : '/tenant') + getPath(request);
    },
  });
  app.use(writeReply, identify(options), logRequests(options), readBody, injectFaults(options));
  app.use(`/api${controlPrefix}/*`, refuseForeignPages(services));
  addRoutes(app.basePath('/api'), [
    ...[...serviceTable, ...controlTable].map((route) => appRoute(options, route)),
    {
      method: 'POST',
      path: createEncryptedKeyPath,
      answer: (request) => createEncryptedKey(services, request),
    },
    ...consoleRoutes(services),
    ...documentationRoutes(services),
  ]);
  app.all('/tenant/*', async (context) =>
    send(context, await answerOnTenantOrigin(services, context.var.request)),
  );
  app.notFound((context) => {
    const { request } = context.var;
    return send(context, failureReply(noRoute(request.path), request));
  });
  app.onError((error, context) => {
    const { request } = context.var;
    const failure = toFailure(error, request);
    if (failure.status >= 500 && failure !== error) onError(error, request.requestId);
    return send(context, failureReply(failure, request));
  });
  return app;
};
