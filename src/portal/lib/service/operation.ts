import type { z } from 'zod';
import type { ApiKey } from '../auth/callers.ts';
import type { AdministrationPermission } from '../auth/permissions.ts';
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

/** One operation under `/v1`: its validation, documentation and handler. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path with `{names}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** Section of the interface that states the operation. */
  readonly section: string;
  readonly tag: string;
  readonly permission: AdministrationPermission;
  readonly body: z.ZodType | undefined;
  readonly query: z.ZodType | undefined;
  readonly success: { readonly status: number; readonly schema: z.ZodType | undefined };
  /** Statuses of refusals beyond 400, 401 and 403. */
  readonly refusals: readonly number[];
  readonly handle: (call: OperationCall<never, never>) => Promise<PortalReply>;
}

/** Declares an operation; the schemas give `handle` its types. */
export const defineOperation = <
  TBody extends z.ZodType | undefined = undefined,
  TQuery extends z.ZodType | undefined = undefined,
>(
  operation: Omit<Operation, 'body' | 'query' | 'handle' | 'refusals'> & {
    readonly body?: TBody;
    readonly query?: TQuery;
    readonly refusals?: readonly number[];
    readonly handle: (
      call: OperationCall<
        TBody extends z.ZodType ? z.output<TBody> : undefined,
        TQuery extends z.ZodType ? z.output<TQuery> : undefined
      >,
    ) => Promise<PortalReply>;
  },
): Operation => ({ body: undefined, query: undefined, refusals: [], ...operation });
