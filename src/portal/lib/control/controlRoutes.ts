import type { FaultBook } from '../faults/createFaults.ts';
import type { Incoming } from '../http/createServer.ts';
import {
  emptyReply,
  jsonReply,
  type PortalReply,
  type PortalRequest,
  type PortalStream,
} from '../http/exchange.ts';
import { PortalFailure } from '../http/portalFailure.ts';
import { readJsonBody } from '../http/readJsonBody.ts';
import { createRouter } from '../http/router.ts';
import type { PortalDeliveries } from '../logs/deliveryLog.ts';
import type { RequestLog } from '../logs/requestLog.ts';
import { readSeed } from '../seed/exportSeed.ts';
import { parseSeed } from '../seed/parseSeed.ts';
import { failureReply } from '../service/dialects.ts';
import { validate } from '../service/validate.ts';
import type { Services } from '../services.ts';
import { clockRoutes } from './clockRoutes.ts';
import { contentRoutes } from './contentRoutes.ts';
import { importSchema } from './controlSchemas.ts';
import { editRoutes } from './editRoutes.ts';
import { logRoutes } from './logRoutes.ts';
import { peopleRoutes } from './peopleRoutes.ts';
import type { PortalControl } from './portalControl.ts';
import { tenantRoutes } from './tenantRoutes.ts';

/** What the control routes work with. */
export interface ControlContext {
  readonly services: Services;
  readonly control: PortalControl;
  readonly faults: FaultBook;
  readonly requests: RequestLog;
  readonly deliveries: PortalDeliveries;
  readonly onDelivery: (listener: () => void) => () => void;
}

/** One route below `/_control`. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly handle: (
    request: PortalRequest,
    params: Readonly<Record<string, string>>,
  ) => Promise<PortalReply | PortalStream>;
}

/** Path prefix of the control interface. */
export const controlPrefix = '/_control';

/**
 * Refuses what a web page of another origin might send: its Origin header, or a host name that was made to point here.
 * A page of the portal itself has the origin it asks; an address cannot be made to point elsewhere, a name can, so only
 * the names that the portal was given count.
 * JSON bodies need a permission (CORS preflight) that is never given.
 */
const refuseForeignPages = (services: Services, request: PortalRequest): void => {
  const origin = request.header('origin');
  const host = request.header('host')?.toLowerCase();
  const isPublic = host === new URL(services.apiUrl()).host;
  const isOwnOrigin =
    origin === undefined || origin === `http://${host}` || (isPublic && origin === services.apiUrl());
  if (!services.isOwnHost(host) || !isOwnOrigin)
    throw new PortalFailure('The control interface answers programs and its own console alone.', {
      status: 403,
      code: 'forbidden',
    });
};

/** Makes the answering function of `/_control`; `undefined` for every other path and for tenants' origins. */
export const createControlRoutes = (context: ControlContext) => {
  const { services, control } = context;
  const route = createRouter<ControlRoute>([
    ...tenantRoutes(context),
    ...editRoutes(context),
    ...peopleRoutes(context),
    ...contentRoutes(context),
    ...clockRoutes(context),
    ...logRoutes(context),
    {
      method: 'POST',
      path: `${controlPrefix}/reset`,
      handle: async () => {
        await control.reset();
        return emptyReply(204);
      },
    },
    {
      method: 'GET',
      path: `${controlPrefix}/seed`,
      handle: async () => jsonReply(200, await readSeed(services.db)),
    },
    {
      method: 'PUT',
      path: `${controlPrefix}/seed`,
      handle: async (request) => {
        const { text, fileName } = validate(importSchema, readJsonBody(request));
        await control.importSeed(parseSeed(text, fileName));
        return emptyReply(204);
      },
    },
    {
      method: 'POST',
      path: `${controlPrefix}/snapshots`,
      handle: async () => jsonReply(201, await control.snapshot()),
    },
    {
      method: 'GET',
      path: `${controlPrefix}/snapshots`,
      handle: async () => jsonReply(200, { items: control.snapshots() }),
    },
    {
      method: 'POST',
      path: `${controlPrefix}/snapshots/{id}/restore`,
      handle: async (_, { id }) => {
        await control.restore({ id: Number(id) });
        return emptyReply(204);
      },
    },
  ]);

  const answer = async (request: PortalRequest): Promise<PortalReply | PortalStream> => {
    refuseForeignPages(services, request);
    const routed = route(request.method, request.path);
    if (routed.kind === 'route') return routed.route.handle(request, routed.params);
    throw routed.kind === 'nothing'
      ? new PortalFailure('There is no such control route.', { status: 404, code: 'route_not_found' })
      : new PortalFailure('The method is not allowed here.', {
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
