import {
  type OperationName,
  type ServiceMergePatch,
  type ServiceNewRow,
  type ServiceRoute,
  serviceRoutes,
} from '@vitrine/contract/service';
import { changeSchema, createSchema, rowSchema } from '@vitrine/contract/service/schemas';
import type { z } from 'zod';
import type { ApiKey } from '../auth/callers.ts';
import { listSchema, optionalPagingSchema, pagingSchema } from '../http/listPages.ts';
import type { PortalReply } from '../http/portalReply.ts';
import type { PortalRequest } from '../http/portalRequest.ts';
import type { Services } from '../services.ts';
import type { Tenant } from '../tenants/tenant.ts';

/** The validated input of an operation of the administration API. */
export interface OperationCall<TBody, TQuery> {
  readonly services: Services;
  readonly tenant: Tenant;
  readonly apiKey: ApiKey;
  readonly request: PortalRequest;
  readonly body: TBody;
  readonly query: TQuery;
  /** Values of the `{names}` in the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** One operation under `/v1`: its route, and from that its validation and documentation, and its handler. */
export interface Operation extends Omit<ServiceRoute, 'body' | 'list'> {
  readonly operationId: OperationName;
  readonly bodySchema: z.ZodType | undefined;
  readonly querySchema: z.ZodType | undefined;
  /** Of the body of success; undefined if it is empty. */
  readonly answerSchema: z.ZodType | undefined;
  readonly handle: (call: OperationCall<never, never>) => Promise<PortalReply>;
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

const bodySchemaOf = ({ body, resource }: ServiceRoute): z.ZodType | undefined => {
  if (body === undefined) return undefined;
  return body === 'create' ? createSchema(resource) : changeSchema(resource);
};

const querySchemaOf = ({ list }: ServiceRoute): z.ZodType | undefined => {
  if (list === undefined) return undefined;
  return list === 'paged' ? pagingSchema : optionalPagingSchema;
};

const answerSchemaOf = ({ list, resource, status }: ServiceRoute): z.ZodType | undefined => {
  if (status === 204) return undefined;
  return list === undefined ? rowSchema(resource) : listSchema(rowSchema(resource));
};

/** Declares the operation of a route; the tables give `handle` its types. */
export const defineOperation = <TName extends OperationName, TQuery = QueryOf<RouteOf<TName>>>(
  operationId: TName,
  handle: (call: OperationCall<BodyOf<RouteOf<TName>>, TQuery>) => Promise<PortalReply>,
  query?: z.ZodType<TQuery>,
): Operation => {
  const route: ServiceRoute = serviceRoutes[operationId];
  return {
    ...route,
    operationId,
    bodySchema: bodySchemaOf(route),
    querySchema: query ?? querySchemaOf(route),
    answerSchema: answerSchemaOf(route),
    handle,
  };
};
