import { streamSSE } from 'hono/streaming';
import { operations, queryObject, runOperation } from '../admin/operations.ts';
import { PortalFailure } from '../http/portalFailure.ts';
import { emptyReply, jsonReply } from '../http/portalReply.ts';
import type { PortalRequest } from '../http/portalRequest.ts';
import { readJsonBody } from '../http/readJsonBody.ts';
import type { AppRoute, PortalContext } from '../http/respond.ts';
import { validate } from '../service/validate.ts';
import type { Services } from '../services.ts';
import { clockRoutes } from './clockRoutes.ts';
import { consoleCall, readConsoleList } from './consoleLists.ts';
import { contentRoutes } from './contentRoutes.ts';
import { controlAnswers } from './controlAnswers.ts';
import { type ControlContext, type ControlRoute, tenantPath, tenantRoute } from './controlRoute.ts';
import { consoleListSchema } from './controlSchemas.ts';
import { logRoutes } from './logRoutes.ts';
import { peopleRoutes } from './peopleRoutes.ts';
import { stateRoutes } from './stateRoutes.ts';
import { tenantNamed } from './tenantNamed.ts';
import { tenantRoutes } from './tenantRoutes.ts';

/** Path prefix of the control interface. */
export const controlPrefix = '/_control';

/** Every documented route of the control interface. */
export const controlRoutes: readonly ControlRoute[] = [
  ...tenantRoutes,
  tenantRoute({
    method: 'GET',
    path: '/lists/{name}',
    summary: 'A page of a list, searched with `search`.',
    query: consoleListSchema,
    status: 200,
    answer: controlAnswers.list,
    handle: async (call) => readConsoleList(call, call.params['name'] ?? '', call.query),
  }),
  ...peopleRoutes,
  ...contentRoutes,
  ...clockRoutes,
  ...logRoutes,
  ...stateRoutes,
];

/**
 * Rejects requests that a web page of another origin could send, by its Origin header or by a host name that was
 * rebound to this machine. Pages of the portal itself are same-origin; IP addresses cannot be rebound but names can, so
 * only the portal's own names are allowed. JSON bodies need a CORS preflight, which is never granted.
 */
const refuseForeignPages = (services: Services, request: PortalRequest): void => {
  const origin = request.header('origin');
  const host = request.header('host')?.toLowerCase();
  const isPublic = host === new URL(services.apiUrl()).host;
  const isOwnOrigin =
    origin === undefined || origin === `http://${host}` || (isPublic && origin === services.apiUrl());
  if (!services.isOwnHost(host) || !isOwnOrigin)
    throw new PortalFailure(
      'The control interface only accepts requests from programs and its own console.',
      {
        status: 403,
        code: 'forbidden',
      },
    );
};

/** Server-sent events about new log entries and clock changes. */
const streamEvents = ({ services, requests, onDelivery, stopping }: ControlContext, context: PortalContext) =>
  streamSSE(context, async (stream) => {
    await stream.write(': open\n\n');
    const notify = (event: string) => () => void stream.writeSSE({ event, data: '{}' });
    const stops = [
      requests.onAdded(notify('request')),
      onDelivery(notify('delivery')),
      services.clock.onChange(notify('clock')),
    ];
    const { promise, resolve } = Promise.withResolvers<unknown>();
    stream.onAbort(() => resolve(undefined));
    stopping.addEventListener('abort', resolve);
    await promise;
    stopping.removeEventListener('abort', resolve);
    for (const stop of stops) stop();
  });

/** The routes of `/_control`. */
export const controlAppRoutes = (context: ControlContext): readonly AppRoute[] => {
  const { services } = context;
  const routes: readonly AppRoute[] = [
    // Every operation of `/v1` for the console, which needs no API key.
    ...operations.map(
      (operation): AppRoute => ({
        method: operation.method,
        path: tenantPath + operation.path,
        answer: async (request, { tenancyName, ...params }) => {
          const tenant = await tenantNamed(services.db, tenancyName);
          return runOperation(operation, consoleCall({ services, tenant, request }, params));
        },
      }),
    ),
    ...controlRoutes.map(
      (route): AppRoute => ({
        method: route.method,
        path: route.path,
        answer: async (request, params) => {
          const body = route.body && validate(route.body[1], readJsonBody(request));
          const query = route.query && validate(route.query, queryObject(request.query));
          // controlRoute types `handle` by the schemas of these outputs.
          const checked = { body: body as never, query: query as never };
          const result = await route.handle({ ...context, ...checked, request, params });
          return route.status === 204 ? emptyReply(204) : jsonReply(route.status, result);
        },
      }),
    ),
    { method: 'GET', path: '/events', answer: (_, __, http) => streamEvents(context, http) },
  ];
  return routes.map(({ method, path, answer }) => ({
    method,
    path: controlPrefix + path,
    answer: (request, params, http) => {
      refuseForeignPages(services, request);
      return answer(request, params, http);
    },
  }));
};
