import {
  type ItemInput,
  maxPageSize,
  type OrganizationUnitInput,
  type RoleInput,
  type UserInput,
  type UserPatch,
} from '@vitrine/contract/service';
import { type AuditListOptions, auditQuery, type FollowOptions, followAuditLog } from './audit.ts';
import type { CallOptions } from './call.ts';
import { type PortalClientOptions, parseClientOptions } from './clientOptions.ts';
import { createEmbeddedKeys } from './embeddedKeys.ts';
import { findItem } from './items.ts';
import { createOperations } from './operations.ts';
import { type ApplyOptions, applyPlan } from './sync/apply.ts';
import { type DesiredState, planSync } from './sync/plan.ts';
import type { PlanOptions } from './sync/planOptions.ts';
import type { SyncPlan } from './sync/syncPlan.ts';

type RowId = string | number;

const createClient = (options: PortalClientOptions) => {
  const setup = parseClientOptions(options);
  const { pageSize, readOnly, baseUrl, upstream } = setup;
  const operations = createOperations(setup);
  const { list, call, remove } = operations;
  const items = list('listItems');
  const auditLog = (given: AuditListOptions = {}) =>
    list(
      'listAuditLogs',
      auditQuery(given),
    )({ ...given, pageSize: Math.min(given.pageSize ?? pageSize, maxPageSize) });

  return {
    users: {
      list: list('listUsers'),
      get: (userId: RowId, given?: CallOptions) => call('getUser', { ...given, ids: { userId } }),
      /** Sent once: after a broken connection, check whether the user exists before you send it again. */
      create: (input: UserInput, given?: CallOptions) => call('createUser', { ...given, body: input }),
      /** Sent fields replace the old ones, lists as a whole (assumed: RFC 7396). Sent once. */
      update: (userId: RowId, patch: UserPatch, given?: CallOptions) =>
        call('updateUser', { ...given, ids: { userId }, body: patch }),
      /** Removes the user permanently. Sent once. */
      delete: (userId: RowId, given?: CallOptions) => remove('deleteUser', { ...given, ids: { userId } }),
    },
    roles: {
      list: list('listRoles'),
      /** Sent once. */
      create: (input: RoleInput, given?: CallOptions) => call('createRole', { ...given, body: input }),
    },
    organizationUnits: {
      list: list('listOrganizationUnits'),
      /** `parentId` is `root` at the top (assumed). Sent once. */
      create: (input: OrganizationUnitInput, given?: CallOptions) =>
        call('createOrganizationUnit', { ...given, body: input }),
      /** Synchronizes with the linked security group now. Sent once. */
      sync: (ouId: RowId, given?: CallOptions) => call('syncOrganizationUnit', { ...given, ids: { ouId } }),
    },
    items: {
      list: items,
      /** Imports an item. Sent once. */
      create: (input: ItemInput, given?: CallOptions) => call('importItem', { ...given, body: input }),
      /**
       * Finds an item by its number (embedding) or GUID (webhooks). Each call reads the list. Rejects with kind `not_found`
       * if there is none.
       */
      find: (itemId: RowId, given?: CallOptions) => findItem(items(given), itemId),
    },
    tasks: { list: list('listTasks') },
    links: { list: list('listLinks') },
    audit: {
      /**
       * Records of a time range, newest first (assumed). Records written during the read may be missing; earlier ones never
       * are.
       */
      list: auditLog,
      /** Records from a start time, oldest first, and new ones as they arrive, until the signal aborts. Nothing is lost or repeated. */
      follow: (given: FollowOptions) => followAuditLog(auditLog, given),
    },
    embeddedKeys: createEmbeddedKeys(setup),
    /**
     * Compares the tenant with the desired state and returns the necessary changes. It only reads. Rejects if a source
     * cannot be read to its end, or is empty while users may be removed.
     */
    planSync: (desired: DesiredState, given?: PlanOptions) => planSync(operations, desired, given),
    /**
     * Applies a plan. It checks each target first; removals must be allowed and are limited. Resolves to a report even if
     * single actions failed. After a run that was interrupted, plan again: the new plan has what is left.
     */
    applyPlan: (plan: SyncPlan, given?: ApplyOptions) => applyPlan(operations, plan, given),
    /** `{base_url}` without a trailing slash. */
    baseUrl,
    /** Whether the client rejects every write. */
    readOnly,
    /** Closes the client's connections after in-flight calls finish. */
    close: upstream.close,
    [Symbol.asyncDispose]: upstream.close,
  } as const;
};

/** The administration API of one tenant (docs/interface.md#4), with one member per resource. */
export interface PortalClient extends ReturnType<typeof createClient> {}

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
export const createPortalClient = (options: PortalClientOptions): PortalClient => createClient(options);
