import {
  type Answer,
  type CheckContext,
  createContext,
  isFields,
  isSuccess,
  readListing,
  type Target,
  type TenantAccess,
  unwrap,
} from '@vitrine/conformance';
import { UsageError } from '../../output/usageError.ts';

/** The variables of a tenant: those of the second one begin with `VITRINE_SECOND_`. */
const namesWith = (prefix: string) =>
  ['TENANT_ID', 'TENANCY_NAME', 'PASSPHRASE'].map((name) => `${prefix}${name}`).join(', ');

/** The ID of any item of a tenant; `undefined` if its list cannot be read. */
const anyItem = async ({ admin }: CheckContext, tenant: TenantAccess): Promise<number | undefined> => {
  try {
    const id = readListing(await admin('GET', '/v1/items', { tenant })).rows[0]?.['id'];
    return typeof id === 'number' ? id : undefined;
  } catch {
    return undefined;
  }
};

/** Whether a service refuses a request, rather than that it answers in a way of its own. */
const isRefusal = ({ status, json }: Answer): boolean =>
  [400, 401, 403, 404].includes(status) || (isFields(json) && json['success'] === false);

const requireKeysOf = async (
  context: CheckContext,
  {
    tenant,
    itemId,
    prefix,
  }: { readonly tenant: TenantAccess; readonly itemId: number; readonly prefix: string },
): Promise<void> => {
  const answer = await context.mint({ tenant, value: { reportId: itemId } }).catch(() => undefined);
  if (answer === undefined) return;
  if (isRefusal(answer))
    throw new UsageError(
      `The portal creates no key for report ${itemId} (status ${answer.status}). Check ${namesWith(prefix)} and VITRINE_API_BASE_URL${prefix === 'VITRINE_' ? `: vitrine doctor --item ${itemId} says which one is wrong` : ''}.`,
    );
  const created = isSuccess(answer) ? unwrap(answer.json) : undefined;
  const key = isFields(created) ? created['key'] : undefined;
  const page =
    typeof key === 'string'
      ? await context.openReport(itemId, key, tenant).catch(() => undefined)
      : undefined;
  if (page?.status === 404)
    throw new UsageError(
      `The portal has no page for report ${itemId} (status 404). Check ${prefix}TENANT_URL.`,
    );
};

/**
 * Throws a {@link UsageError} if a run that creates keys gets none for a report of a tenant: then a value of that tenant
 * is wrong. Otherwise, refusals that the wrong value causes would pass for conformance.
 */
export const requireKeys = async (target: Target, signal: AbortSignal): Promise<void> => {
  if (!target.permits.has('mint')) return;
  const context = createContext(target, 'keys', signal);
  const itemId = await context.itemId().catch(() => undefined);
  if (itemId !== undefined) await requireKeysOf(context, { tenant: target, itemId, prefix: 'VITRINE_' });
  const tenant = target.secondTenant;
  const secondItemId = tenant && (await anyItem(context, tenant));
  if (tenant !== undefined && secondItemId !== undefined)
    await requireKeysOf(context, { tenant, itemId: secondItemId, prefix: 'VITRINE_SECOND_' });
};
