import {
  defaultPageSize,
  type OperationName,
  type ServiceMergePatch,
  type ServiceNewRow,
  type ServiceRoute,
  serviceRoutes,
} from '@vitrine/contract/service';
import { changeSchema, createSchema, rowSchema } from '@vitrine/contract/service/schemas';
import type { z } from 'zod';
import type { Actor } from './change.ts';
import type { Place } from './database/tenantRows.ts';
import { listSchema, optionalPagingSchema, type Page, pagingSchema } from './http/listPages.ts';
import { invalidField } from './http/portalFailure.ts';
import { emptyReply, jsonReply, type PortalReply } from './http/portalReply.ts';
import type { PortalRequest } from './http/portalRequest.ts';
import { readJsonBody } from './http/readJsonBody.ts';
import type { PortalParts } from './portalParts.ts';
import { validate } from './service/validate.ts';
import type { Tenant } from './tenant.ts';

/** What a handler gets: the caller, and the validated input. */
export interface Call<TBody, TQuery> extends PortalParts {
  readonly actor: Actor;
  /** Values of the `{names}` in the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly body: TBody;
  readonly query: TQuery;
}

/** The same for a route of one tenant. */
export interface TenantCall<TBody, TQuery> extends Call<TBody, TQuery> {
  readonly tenant: Tenant;
}

/** A schema with its name in the documentation. */
type Named<TSchema extends z.ZodType = z.ZodType> = readonly [name: string, schema: TSchema];

/**
 * One route: its path, validation, documentation and handler. A route of the `service` is offered under `/v1` to API
 * keys with its permission, and below a tenant of the control interface to the console. The others are only in the
 * control interface: those of a `tenant` below it, those of the `portal` at the top.
 */
export interface Route {
  readonly scope: 'service' | 'tenant' | 'portal';
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `{names}`: under `/v1`, or below the control interface or its tenant. */
  readonly path: string;
  readonly about: string;
  /** Only of a route of the service. */
  readonly service?: ServiceRoute;
  readonly body?: Named | undefined;
  readonly query?: z.ZodType | undefined;
  /** Status of success. 204 sends no body, whatever `handle` returns. */
  readonly status: 200 | 201 | 202 | 204;
  readonly answer?: Named | undefined;
  readonly refusals: readonly (404 | 409)[];
  /** Address of what was created. */
  readonly location?: (id: number) => string;
  readonly handle: (call: TenantCall<never, never>) => unknown;
}

type RouteOf<TName extends OperationName> = (typeof serviceRoutes)[TName];

type BodyOf<TRoute extends ServiceRoute> = TRoute extends { body: 'create' }
  ? ServiceNewRow<TRoute['resource']>
  : TRoute extends { body: 'change' }
    ? ServiceMergePatch<TRoute['resource']>
    : undefined;

type QueryOf<TRoute extends ServiceRoute> = TRoute extends { list: 'paged' }
  ? z.output<typeof pagingSchema>
  : TRoute extends { list: 'whole' }
    ? z.output<typeof optionalPagingSchema>
    : undefined;

const upperFirst = (text: string) => text.replace(/^./, (first) => first.toUpperCase());

/** Declares a route of the service; the tables give `handle` its types. */
export const serviceRoute = <TName extends OperationName, TQuery = QueryOf<RouteOf<TName>>>(
  operationId: TName,
  handle: (call: TenantCall<BodyOf<RouteOf<TName>>, TQuery>) => unknown,
  extra: { readonly query?: z.ZodType<TQuery>; readonly location?: (id: number) => string } = {},
): Route => {
  const service: ServiceRoute = serviceRoutes[operationId];
  const { method, path, about, status, body, list, resource, refusals } = service;
  const row = upperFirst(resource);
  return {
    scope: 'service',
    operationId,
    method,
    path,
    about,
    service,
    status,
    refusals: refusals ?? [],
    query: list === 'paged' ? pagingSchema : list === 'whole' ? optionalPagingSchema : undefined,
    ...extra,
    ...(body !== undefined && {
      body: [
        `${upperFirst(operationId)}Request`,
        body === 'create' ? createSchema(resource) : changeSchema(resource),
      ],
    }),
    ...(status !== 204 && {
      answer:
        list === undefined ? [row, rowSchema(resource)] : [`${row}List`, listSchema(rowSchema(resource))],
    }),
    handle,
  };
};

/** What a route of the control interface declares, apart from its method, path and description. */
interface Declared<TBody extends z.ZodType, TQuery extends z.ZodType, TCall> {
  readonly body?: Named<TBody>;
  readonly query?: TQuery;
  readonly answer?: Named;
  /** Default: 204 without an answer, 201 for a POST with one, else 200. */
  readonly status?: 200;
  /** Beyond 404, which every route with a name in its path gets. */
  readonly refusals?: readonly 409[];
  readonly handle: (call: TCall) => unknown;
}

/** Method and path. */
type Address = `${Route['method']} /${string}`;

const declare = (
  scope: 'tenant' | 'portal',
  [address, about, declared]: readonly [
    Address,
    string,
    Declared<z.ZodType, z.ZodType, TenantCall<never, never>>,
  ],
): Route => {
  const [method, path] = address.split(' ') as [Route['method'], string];
  const fullPath = scope === 'tenant' ? tenantPath + path : path;
  const { answer, status, refusals = [] } = declared;
  return {
    ...declared,
    scope,
    operationId: `control_${method.toLowerCase()}${fullPath.replaceAll(/\{(\w+)\}/g, 'by_$1').replaceAll(/\W+/g, '_')}`,
    method,
    path,
    about,
    status: status ?? (answer === undefined ? 204 : method === 'POST' ? 201 : 200),
    refusals,
  };
};

/** Declares a route of the control interface; the schemas give `handle` the types of its body and query. */
export const portalRoute = <TBody extends z.ZodType, TQuery extends z.ZodType>(
  ...route: [Address, string, Declared<TBody, TQuery, Call<z.output<TBody>, z.output<TQuery>>>]
): Route => declare('portal', route);

/** Path of one tenant below the control interface. */
export const tenantPath = '/tenants/{tenancyName}';

/** Declares a route of one tenant in the control interface; its path is below the tenant's. */
export const tenantRoute = <TBody extends z.ZodType, TQuery extends z.ZodType>(
  ...route: [Address, string, Declared<TBody, TQuery, TenantCall<z.output<TBody>, z.output<TQuery>>>]
): Route => declare('tenant', route);

/** Reads all rows of a list that is returned whole unless a page is requested. */
export const wholeList =
  <TRow>(read: (place: Place & { readonly nowMs: number }) => Promise<readonly TRow[]>) =>
  async ({
    services,
    tenant,
    query,
  }: TenantCall<unknown, z.output<typeof optionalPagingSchema>>): Promise<Page<TRow>> => {
    const { page = 1, pageSize } = query;
    const rows = await read({ db: services.db, tenantId: tenant.id, nowMs: services.clock.now() });
    const size = pageSize ?? (query.page === undefined ? Math.max(rows.length, 1) : defaultPageSize);
    const items = rows.slice((page - 1) * size, page * size);
    return { items, totalCount: rows.length, page, pageSize: size };
  };

/** A query as an object, each parameter given once. */
const queryObject = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    [...query].map(([name, value]) => {
      if (query.getAll(name).length > 1) throw invalidField(name.slice(0, 64), 'occurs more than once');
      if (value.includes('\0')) throw invalidField(name.slice(0, 64), 'contains a NUL character');
      return [name, value];
    }),
  );

/** What a route gets apart from what the request sends. */
export type RouteInput = Omit<TenantCall<never, never>, 'body' | 'query'>;

/** Validates the input of a route, and runs it. */
export const runRoute = async (
  { body, query, status, location, handle }: Route,
  request: PortalRequest,
  call: RouteInput,
): Promise<PortalReply> => {
  const input = {
    body: body && validate(body[1], readJsonBody(request)),
    query: query && validate(query, queryObject(request.query)),
  };
  // The functions above type `handle` by the schemas of these outputs.
  const result = await handle({ ...call, ...input } as TenantCall<never, never>);
  if (status === 204) return emptyReply(204);
  // What has an address has a number.
  const { id } = result as { readonly id: number };
  return jsonReply(status, result, location && { location: location(id) });
};
