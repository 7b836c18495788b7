import { operations } from '../admin/operations.ts';
import type { Incoming } from '../http/createPortalServer.ts';
import { createRouter } from '../http/createRouter.ts';
import { PortalFailure } from '../http/portalFailure.ts';
import { emptyReply, jsonReply, type PortalReply, type PortalStream } from '../http/portalReply.ts';
import type { PortalRequest } from '../http/portalRequest.ts';
import { readJsonBody } from '../http/readJsonBody.ts';
import { failureReply } from '../service/dialects.ts';
import { validate } from '../service/validate.ts';
import type { Services } from '../services.ts';
import { clockRoutes } from './clockRoutes.ts';
import { readConsoleList, runOperation } from './consoleLists.ts';
import { contentRoutes } from './contentRoutes.ts';
import { controlAnswers } from './controlAnswers.ts';
import { type ControlContext, type ControlRoute, tenantPath, tenantRoute } from './controlRoute.ts';
import { consoleListSchema } from './controlSchemas.ts';
import { logRoutes, streamEvents } from './logRoutes.ts';
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

interface AnsweringRoute {
  readonly method: string;
  /** Path below `/_control`. */
  readonly path: string;
  readonly answer: (
    request: PortalRequest,
    params: Readonly<Record<string, string>>,
  ) => Promise<PortalReply | PortalStream>;
}

const answeringRoute = (context: ControlContext, route: ControlRoute): AnsweringRoute => ({
  method: route.method,
  path: route.path,
  answer: async (request, params) => {
    const body = route.body && validate(route.body[1], readJsonBody(request));
    const query = route.query && validate(route.query, Object.fromEntries(request.query));
    // controlRoute types `handle` by the schemas of these outputs.
    const checked = { body: body as never, query: query as never };
    const result = await route.handle({ ...context, ...checked, request, params });
    return route.status === 204 ? emptyReply(204) : jsonReply(route.status, result);
  },
});

/** Every operation of `/v1` for the console, which needs no API key. */
const consoleOperations = ({ services }: ControlContext): readonly AnsweringRoute[] =>
  operations.map((operation) => ({
    method: operation.method,
    path: tenantPath + operation.path,
    answer: async (request, { tenancyName, ...params }) => {
      const tenant = await tenantNamed(services.db, tenancyName);
      return runOperation(operation, { services, tenant, request }, params);
    },
  }));

/** Creates the answering function of `/_control`; `undefined` for other paths and for tenants' origins. */
export const createControlRoutes = (context: ControlContext) => {
  const route = createRouter<AnsweringRoute>([
    ...consoleOperations(context),
    ...controlRoutes.map((one) => answeringRoute(context, one)),
    { method: 'GET', path: '/events', answer: async () => streamEvents(context) },
  ]);

  const answer = async (request: PortalRequest): Promise<PortalReply | PortalStream> => {
    refuseForeignPages(context.services, request);
    const routed = route(request.method, request.path.slice(controlPrefix.length));
    if (routed.kind === 'route') return routed.route.answer(request, routed.params);
    throw routed.kind === 'nothing'
      ? new PortalFailure('There is no such control route.', { status: 404, code: 'route_not_found' })
      : new PortalFailure('The method is not allowed.', {
          status: 405,
          code: 'method_not_allowed',
          headers: { allow: routed.allowed.join(', ') },
        });
  };

  return ({ request, isTooLarge }: Incoming): Promise<PortalReply | PortalStream> | undefined => {
    if (!request.path.startsWith(`${controlPrefix}/`) || request.tenancyName !== undefined) return undefined;
    const tooLarge = new PortalFailure('body: is larger than 1 MiB.', {
      status: 413,
      code: 'request_too_large',
    });
    return (isTooLarge ? Promise.reject(tooLarge) : answer(request)).catch((error: unknown) =>
      failureReply(
        error instanceof PortalFailure
          ? error
          : // The control interface is for developers: they are told what went wrong.
            new PortalFailure(error instanceof Error ? error.message : 'The control interface failed.', {
              status: 400,
              code: 'control_failed',
            }),
        'rest',
        request.requestId,
      ),
    );
  };
};
