import type { Row } from '../database/schema.ts';
import { readRow, rowsOf } from '../database/tenantRows.ts';
import { type KeyContent, openKey } from '../keys/sealKey.ts';
import { opensRow, readRlsRoles } from '../rowSecurity.ts';
import type { Services } from '../services.ts';
import { listTenants, type Tenant } from '../tenant.ts';
import { reportDefinition } from './definitions/reportDefinitions.ts';
import type { RefusalReason } from './messagePage.ts';
import { reportTables } from './reportTable.ts';
import type { ReportTable } from './shared/reportModel.ts';

/** An open report: tenant, item and key. */
export interface OpenReport {
  readonly services: Services;
  readonly tenant: Tenant;
  readonly item: Row<'items'>;
  readonly content: KeyContent;
}

/** The result of checking a key. */
export type ReportAccess =
  | ({ readonly kind: 'open' } & OpenReport)
  | {
      readonly kind: 'refused';
      readonly reason: RefusalReason;
      /** Advice for the developer of a host app. Never contains the key. */
      readonly hint: string;
    };

const refused = (reason: RefusalReason, hint: string): ReportAccess => ({ kind: 'refused', reason, hint });
const instant = (ms: number) => new Date(ms).toISOString();

/** Decides what the key in `?ev=` opens on a tenant's origin (docs/interface.md#4.7). */
export const openReport = async (
  services: Services,
  tenant: Tenant,
  { itemId, key }: { readonly itemId: number | undefined; readonly key: string | undefined },
): Promise<ReportAccess> => {
  const nowMs = services.clock.now();
  if (key === undefined || key === '')
    return refused(
      'missing',
      'The address has no ev. Append result.key of CreateEncryptedKey as ?ev=<key>, percent-encoded; reportUrl() of @vitrine/contract does this.',
    );
  const content = openKey(key, tenant.id, tenant.sealKey);
  if (content === undefined) {
    const tenants = await listTenants(services.db);
    // A changed key of another tenant counts as tampered, as for this one.
    if (tenants.some(({ id, sealKey }) => openKey(key, id, sealKey) !== undefined))
      return refused(
        'foreign',
        `The key belongs to another tenant, the address to "${tenant.tenancyName}". Check that VITRINE_TENANT_URL, VITRINE_TENANCY_NAME and VITRINE_TENANT_ID belong together.`,
      );
    const change = /%[0-9a-f]{2}/i.test(key)
      ? 'still contains "%": it was percent-encoded twice'
      : 'differs from the issued key';
    return refused(
      'tampered',
      `The key in ev ${change}. Percent-encode it once, with encodeURIComponent, when you build the address.`,
    );
  }
  const place = { db: services.db, tenantId: tenant.id };
  const item = await readRow(place, 'items', itemId ?? 0);
  if (item === undefined)
    return refused(
      'unknown',
      `Tenant "${tenant.tenancyName}" has no item ${itemId ?? 'with this ID'}. GET /v1/items lists its items.`,
    );
  if (content.itemId !== item.id)
    return refused(
      'other-report',
      `The key was created for item ${content.itemId}, but the address is for item ${item.id}. Create a key for each item: value.reportId is the number in the address.`,
    );
  if (content.expiresAtMs <= nowMs)
    return refused(
      'expired',
      `The key expired at ${instant(content.expiresAtMs)}; the portal's clock shows ${instant(nowMs)}. <EmbeddedReport> renews keys in time. If you moved the clock, set it back in the console.`,
    );
  const link = await readRow(place, 'links', content.linkId);
  if (link === undefined || link.revokedAt !== null)
    return refused(
      'revoked',
      `The key's link ${content.linkId} was revoked, or removed by a reset to the seed. Create a new key.`,
    );
  return { kind: 'open', services, tenant, item, content };
};

/** The rows of a report that its key opens. */
export const readOpenTable = async ({
  services,
  tenant,
  item,
  content,
}: OpenReport): Promise<ReportTable> => {
  const readTable = reportTables[reportDefinition(item.report).source];
  return readTable({
    dataset: item.dataset,
    nowMs: services.clock.now(),
    opens: item.hasRls
      ? opensRow(await readRlsRoles({ db: services.db, tenantId: tenant.id }), content)
      : () => true,
  });
};

/** The enabled webhook tasks of a report's item. */
export const findTasks = async ({ services: { db }, tenant, item }: OpenReport): Promise<Row<'tasks'>[]> =>
  (await rowsOf({ db, tenantId: tenant.id }, 'tasks')).filter(
    ({ itemId, kind, enabled }) => itemId === item.id && kind === 'webhook' && enabled,
  );
