import { type AuditLogsResource, createAuditLogs } from '../audit/createAuditLogs.ts';
import { createEmbeddedKeys, type EmbeddedKeysResource } from '../embedding/createEmbeddedKeys.ts';
import { configError } from '../errors/checkOptions.ts';
import { createItems, type ItemsResource } from '../resources/createItems.ts';
import {
  createOrganizationUnits,
  type OrganizationUnitsResource,
} from '../resources/createOrganizationUnits.ts';
import { createRoles, type RolesResource } from '../resources/createRoles.ts';
import { createUsers, type UsersResource } from '../resources/createUsers.ts';
import {
  createLinks,
  createTasks,
  type LinksResource,
  type TasksResource,
} from '../resources/readOnlyLists.ts';
import { type ApplyOptions, type ApplyResult, applyPlan } from '../sync/apply.ts';
import { type DesiredState, type PlanOptions, planSync } from '../sync/plan.ts';
import type { SyncPlan } from '../sync/syncPlan.ts';
import { createSyncPort } from './createSyncPort.ts';
import { createTransport } from './createTransport.ts';
import { parseClientOptions } from './parseClientOptions.ts';
import type { PortalClientOptions } from './portalClientOptions.ts';

/** The administration API of one tenant (section 4), with one member per resource. */
export interface PortalClient {
  readonly users: UsersResource;
  readonly roles: RolesResource;
  readonly organizationUnits: OrganizationUnitsResource;
  readonly items: ItemsResource;
  readonly tasks: TasksResource;
  readonly links: LinksResource;
  readonly auditLogs: AuditLogsResource;
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
  const parsed = parseClientOptions(options);
  const { pageSize, firstPage, readOnly, baseUrl, upstream } = parsed;
  let isClosed = false;
  const whileOpen =
    <TArgument, TValue>(work: (argument: TArgument) => Promise<TValue>) =>
    async (argument: TArgument): Promise<TValue> => {
      if (isClosed)
        throw configError('closed', 'This client is closed. Create another with createPortalClient().');
      return work(argument);
    };
  const tools = { send: whileOpen(createTransport(parsed)), pageSize, firstPage };
  const syncPort = createSyncPort(tools, baseUrl);
  const embeddedKeys = createEmbeddedKeys(parsed);
  const close = () => {
    isClosed = true;
    return upstream.close();
  };
  return {
    users: createUsers(tools),
    roles: createRoles(tools),
    organizationUnits: createOrganizationUnits(tools),
    items: createItems(tools),
    tasks: createTasks(tools),
    links: createLinks(tools),
    auditLogs: createAuditLogs(tools),
    embeddedKeys: { ...embeddedKeys, create: whileOpen(embeddedKeys.create) },
    planSync: (desired, planOptions) => planSync(syncPort.reader, desired, planOptions),
    applyPlan: (plan, applyOptions) => applyPlan(syncPort, plan, applyOptions),
    baseUrl,
    readOnly,
    close,
    [Symbol.asyncDispose]: close,
  };
};
