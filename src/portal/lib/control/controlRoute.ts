import type { z } from 'zod';
import type { FaultRegistry } from '../faults/createFaults.ts';
import type { PortalRequest } from '../http/portalRequest.ts';
import type { PortalDeliveries } from '../logs/createDeliveryLog.ts';
import type { RequestLog } from '../logs/requestLog.ts';
import type { Services } from '../services.ts';
import type { Tenant } from '../tenants/tenant.ts';
import type { ConsoleControl } from './portalControl.ts';
import { tenantNamed } from './tenantNamed.ts';

/** Dependencies of the control routes. */
export interface ControlContext {
  readonly services: Services;
  readonly control: ConsoleControl;
  readonly faults: FaultRegistry;
  readonly requests: RequestLog;
  readonly deliveries: PortalDeliveries;
  readonly onDelivery: (listener: () => void) => () => void;
  /** Fires when the portal stops: event streams end. */
  readonly stopping: AbortSignal;
}

/** The validated input of a control route. */
export interface ControlCall<TBody, TQuery> extends ControlContext {
  readonly request: PortalRequest;
  readonly body: TBody;
  readonly query: TQuery;
  /** Values of the `{names}` in the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** One route of the control interface: its path, validation, documentation and handler. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below `/_control`, with `{names}`. */
  readonly path: string;
  readonly summary: string;
  /** The body's name in the documentation, and its schema. */
  readonly body?: readonly [name: string, schema: z.ZodType];
  readonly query?: z.ZodType;
  /** Status of success. 204 sends no body, whatever `handle` returns. */
  readonly status: 200 | 201 | 204;
  /** The response's name in the documentation, and its schema. Required unless the status is 204. */
  readonly answer?: readonly [name: string, schema: z.ZodType];
  readonly handle: (call: ControlCall<never, never>) => Promise<unknown>;
}

type RouteWith<TBody extends z.ZodType, TQuery extends z.ZodType, TExtra> = Omit<
  ControlRoute,
  'body' | 'query' | 'handle'
> & {
  readonly body?: readonly [name: string, schema: TBody];
  readonly query?: TQuery;
  readonly handle: (call: ControlCall<z.output<TBody>, z.output<TQuery>> & TExtra) => Promise<unknown>;
};

/** Declares a control route; the schemas give `handle` the types of its body and query. */
export const controlRoute = <TBody extends z.ZodType, TQuery extends z.ZodType>(
  route: RouteWith<TBody, TQuery, unknown>,
): ControlRoute => route;

/** Path of one tenant below `/_control`. */
export const tenantPath = '/tenants/{tenancyName}';

/** Declares a control route of one tenant; its path is below the tenant's. */
export const tenantRoute = <TBody extends z.ZodType, TQuery extends z.ZodType>({
  path,
  handle,
  ...route
}: RouteWith<TBody, TQuery, { readonly tenant: Tenant }>): ControlRoute =>
  controlRoute<TBody, TQuery>({
    ...route,
    path: tenantPath + path,
    handle: async (call) =>
      handle({ ...call, tenant: await tenantNamed(call.services.db, call.params['tenancyName']) }),
  });
