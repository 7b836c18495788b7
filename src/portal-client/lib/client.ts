import {
  maxPageSize,
  type OperationName,
  resources,
  type ServiceInput,
  serviceRoutes,
  type UserPatch,
} from '@vitrine/contract/service';
import {
  type AuditFollower,
  type AuditListOptions,
  auditQuery,
  type FollowOptions,
  followAuditLog,
} from './audit.ts';
import type { CallOptions } from './call.ts';
import { type PortalClientOptions, parseClientOptions } from './clientOptions.ts';
import { createEmbeddedKeys, type EmbeddedKeysResource } from './embeddedKeys.ts';
import { type CallStats, configError } from './errors.ts';
import type { HttpResponse } from './http.ts';
import { createItemFinder } from './items.ts';
import { type PageQuery, type PortalList, portalList } from './paging.ts';
import { readList, unreadable, unwrap } from './responses.ts';
import { type Item, type ListOperation, type RowOf, type Rows, readRow, type User } from './rows.ts';
import { createSend, type RowCall } from './send.ts';
import { type ApplyOptions, type ApplyResult, applyPlan } from './sync/apply.ts';
import { type DesiredState, planSync } from './sync/plan.ts';
import type { PlanOptions } from './sync/planOptions.ts';
import type { SyncPlan } from './sync/syncPlan.ts';
import type { SyncPort } from './sync/tenant.ts';

/** A result with the HTTP facts of its response. */
export interface PortalResponse<TData> {
  readonly data: TData;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Facts of the completed request: status, request ID, attempts, latency and more. */
  readonly stats: CallStats;
}

/** The promise of every call: await it for the data, or `withResponse()` for the HTTP facts too. */
export type PortalCall<TData> = Promise<TData> & {
  /** The result of the same call, with headers and stats: status, request ID, attempts. */
  readonly withResponse: () => Promise<PortalResponse<TData>>;
};

/** Options of a list. */
export interface ListOptions extends CallOptions {
  /** Rows per page. Default: the client's `pageSize`. */
  readonly pageSize?: number | undefined;
}

/** Lists a resource. */
type List<TName extends keyof Rows> = (options?: ListOptions) => PortalList<Rows[TName]>;

/** Creates a row. Sent once: after a broken connection, check whether it exists before you send it again. */
type Create<TName extends keyof Rows & ('user' | 'role' | 'organizationUnit' | 'item')> = (
  input: ServiceInput<TName>,
  options?: CallOptions,
) => PortalCall<Rows[TName]>;

/** The administration API of one tenant (docs/interface.md#4), with one member per resource. */
export interface PortalClient {
  readonly users: {
    readonly list: List<'user'>;
    readonly get: (userId: string | number, options?: CallOptions) => PortalCall<User>;
    readonly create: Create<'user'>;
    /** Sent fields replace the old ones, lists as a whole (assumed: RFC 7396). Sent once. */
    readonly update: (userId: string | number, patch: UserPatch, options?: CallOptions) => PortalCall<User>;
    /** Removes the user permanently. Sent once. */
    readonly delete: (userId: string | number, options?: CallOptions) => PortalCall<void>;
  };
  readonly roles: { readonly list: List<'role'>; readonly create: Create<'role'> };
  readonly organizationUnits: {
    readonly list: List<'organizationUnit'>;
    /** `parentId` is `root` at the top (assumed). Sent once. */
    readonly create: Create<'organizationUnit'>;
    /** Synchronizes with the linked security group now. Sent once. */
    readonly sync: (
      organizationUnitId: string | number,
      options?: CallOptions,
    ) => PortalCall<Rows['organizationUnitSync']>;
  };
  readonly items: {
    readonly list: List<'item'>;
    /** Imports an item. Sent once. */
    readonly create: Create<'item'>;
    /**
     * Finds an item by its number (embedding) or GUID (webhooks). It reads the list once, and again for an ID that is not in
     * it. Rejects with kind `not_found` if there is none.
     */
    readonly find: (itemId: number | string) => Promise<Item>;
  };
  readonly tasks: { readonly list: List<'task'> };
  readonly links: { readonly list: List<'link'> };
  readonly audit: {
    /**
     * Records of a time range, newest first (assumed). Records written during the read may be missing; earlier ones never
     * are.
     */
    readonly list: (options?: AuditListOptions) => PortalList<Rows['auditRecord']>;
    /** Records from a start time, oldest first, and new ones as they arrive, until the signal aborts. Nothing is lost or repeated. */
    readonly follow: (options: FollowOptions) => AuditFollower;
  };
  readonly embeddedKeys: EmbeddedKeysResource;
  /**
   * Compares the tenant with the desired state and returns the necessary changes. It only reads. Rejects if a source cannot
   * be read to its end, or is empty while users may be removed.
   */
  readonly planSync: (desired: DesiredState, options?: PlanOptions) => Promise<SyncPlan>;
  /**
   * Applies a plan. It checks each target first; removals must be allowed and are limited. Resolves to a report even if
   * single actions failed. After a run that was interrupted, plan again: the new plan has what is left.
   */
  readonly applyPlan: (plan: SyncPlan, options?: ApplyOptions) => Promise<ApplyResult>;
  /** `{base_url}` without a trailing slash. */
  readonly baseUrl: string;
  /** Whether the client rejects every write. */
  readonly readOnly: boolean;
  /** Closes the client's connections after in-flight calls finish. */
  readonly close: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/**
 * A client for the portal's administration API. For servers only, because it uses the API key. Throws a
 * `PortalError` of kind `config` for an invalid option; sends no requests on creation.
 *
 * @example
 * ```ts
 * import { createPortalClient } from '@vitrine/portal-client';
 *
 * await using client = createPortalClient({
 *   baseUrl: 'https://portal.example.com',
 *   apiKey: process.env.VITRINE_API_KEY ?? '',
 * });
 * for await (const user of client.users.list()) console.log(user.email);
 * ```
 */
export const createPortalClient = (options: PortalClientOptions): PortalClient => {
  const setup = parseClientOptions(options);
  const { pageSize, firstPage, readOnly, baseUrl, upstream } = setup;
  let isClosed = false;
  const whileOpen =
    <TArgument, TValue>(work: (argument: TArgument) => Promise<TValue>) =>
    async (argument: TArgument): Promise<TValue> => {
      if (isClosed)
        throw configError('closed', 'This client is closed. Create another with createPortalClient().');
      return work(argument);
    };
  const send = whileOpen(createSend(setup));

  const listOf =
    <TOperation extends ListOperation>(operation: TOperation, query?: PageQuery) =>
    ({ pageSize: size = pageSize, ...callOptions }: ListOptions = {}): PortalList<RowOf<TOperation>> => {
      const { path, list } = serviceRoutes[operation];
      return portalList({
        path,
        isPaged: list === 'paged',
        isAppendOnly: operation === 'listAuditLogs',
        pageSize: size,
        firstPage,
        readRow: (raw, response) => rowOf(operation, raw) ?? failRow(operation, response, raw),
        fetchPage: async (page) => {
          const response = await send({ ...callOptions, operation, query: { ...query, ...page } });
          const rows = readList(response.body);
          if (rows !== undefined) return { response, page: rows };
          throw unreadable(
            `returned ${response.stats.status}, but its body is not a list.`,
            'no_list',
            response.body,
            response,
          );
        },
      });
    };
  const callOf = <TOperation extends OperationName>(
    operation: TOperation,
    given: RowCall,
  ): PortalCall<RowOf<TOperation>> =>
    portalCall(
      send({ ...given, operation }),
      (response) => rowOf(operation, unwrap(response.body)) ?? failRow(operation, response, response.body),
    );
  const users = listOf('listUsers');
  const roles = listOf('listRoles');
  const organizationUnits = listOf('listOrganizationUnits');
  const items = listOf('listItems');
  const auditLog = (listOptions: AuditListOptions = {}) =>
    listOf(
      'listAuditLogs',
      auditQuery(listOptions),
    )({ ...listOptions, pageSize: Math.min(listOptions.pageSize ?? pageSize, maxPageSize) });
  const embeddedKeys = createEmbeddedKeys(setup);
  const syncPort: SyncPort = {
    baseUrl,
    list: (operation, given) => listOf(operation)(given),
    call: async (operation, given) => {
      // A service under load may ask for minutes of patience.
      const response = await send({ ...given, maxRetries: 7, timeoutMs: 600_000, operation });
      return rowOf(operation, unwrap(response.body));
    },
  };
  const close = () => {
    isClosed = true;
    return upstream.close();
  };
  return {
    users: {
      list: users,
      get: (userId, given) => callOf('getUser', { ...given, ids: { userId } }),
      create: (body, given) => callOf('createUser', { ...given, body }),
      update: (userId, body, given) => callOf('updateUser', { ...given, ids: { userId }, body }),
      delete: (userId, given) =>
        portalCall(send({ ...given, operation: 'deleteUser', ids: { userId } }), () => undefined),
    },
    roles: { list: roles, create: (body, given) => callOf('createRole', { ...given, body }) },
    organizationUnits: {
      list: organizationUnits,
      create: (body, given) => callOf('createOrganizationUnit', { ...given, body }),
      sync: (ouId, given) => callOf('syncOrganizationUnit', { ...given, ids: { ouId } }),
    },
    items: {
      list: items,
      create: (body, given) => callOf('importItem', { ...given, body }),
      find: createItemFinder(items),
    },
    tasks: { list: listOf('listTasks') },
    links: { list: listOf('listLinks') },
    audit: { list: auditLog, follow: (given) => followAuditLog(auditLog, given) },
    embeddedKeys: { ...embeddedKeys, create: whileOpen(embeddedKeys.create) },
    planSync: (desired, planOptions) => planSync(syncPort, desired, planOptions),
    applyPlan: (plan, applyOptions) => applyPlan(syncPort, plan, applyOptions),
    baseUrl,
    readOnly,
    close,
    [Symbol.asyncDispose]: close,
  };
};

const rowOf = <TOperation extends OperationName>(
  operation: TOperation,
  value: unknown,
): RowOf<TOperation> | undefined =>
  readRow<(typeof serviceRoutes)[TOperation]['resource']>(serviceRoutes[operation].resource, value);

const failRow = (operation: OperationName, response: HttpResponse, body: unknown): never => {
  const { resource, method } = serviceRoutes[operation];
  const { noun } = resources[resource];
  const wrote =
    method === 'GET' ? '' : ' The change may have been made: read the resource before you send it again.';
  throw unreadable(
    `did not return a valid ${noun}.${wrote}`,
    `no_${noun.replaceAll(' ', '_')}`,
    body,
    response,
  );
};

const portalCall = <TData>(
  work: Promise<HttpResponse>,
  read: (response: HttpResponse) => TData,
): PortalCall<TData> => {
  const answered = work.then((response) => ({
    data: read(response),
    headers: response.headers,
    stats: response.stats,
  }));
  const data = answered.then((response) => response.data);
  return Object.assign(data, {
    withResponse: () => {
      // A caller of withResponse() handles the rejection there; the bare promise then needs no handler.
      data.catch(() => undefined);
      return answered;
    },
  });
};
