import type { Selectable } from 'kysely';
import type { ItemsTable } from '../database/tables/contentTables.ts';
import { type KeyContent, openKey } from '../embedding/sealKey.ts';
import type { Services } from '../services.ts';
import { listTenants } from '../tenants/findTenants.ts';
import type { Tenant } from '../tenants/tenant.ts';
import { developerHint } from './developerHint.ts';
import type { RefusalReason } from './refusalReason.ts';

/** The result of checking a key. */
export type ReportAccess =
  | {
      readonly kind: 'open';
      readonly item: Selectable<ItemsTable>;
      readonly content: KeyContent;
    }
  | {
      readonly kind: 'refused';
      readonly reason: RefusalReason;
      readonly item?: Selectable<ItemsTable>;
      /** Hint for the developer of the host app. */
      readonly hint: string;
    };

/** Decides what the key in `?ev=` opens on a tenant's origin (docs/interface.md#4.7). */
export const openReport = async (
  services: Services,
  tenant: Tenant,
  sent: { readonly itemId: number | undefined; readonly key: string | undefined },
): Promise<ReportAccess> => {
  const nowMs = services.clock.now();
  const refused = (
    reason: RefusalReason,
    known: { readonly content?: KeyContent; readonly item?: Selectable<ItemsTable> } = {},
  ): ReportAccess => ({
    kind: 'refused',
    reason,
    ...(known.item !== undefined && { item: known.item }),
    hint: developerHint({
      reason,
      tenancyName: tenant.tenancyName,
      ...sent,
      content: known.content,
      nowMs,
    }),
  });
  if (sent.key === undefined || sent.key === '') return refused('missing');
  const opened = openKey(sent.key, tenant.id, tenant.sealKey);
  if (opened.kind === 'not-a-key') return refused('tampered');
  if (opened.kind === 'other-key')
    return refused((await isOfAnotherTenant(services, tenant, sent.key)) ? 'foreign' : 'tampered');
  const { content } = opened;
  const item =
    sent.itemId === undefined
      ? undefined
      : await services.db
          .selectFrom('items')
          .selectAll()
          .where('tenant_id', '=', tenant.id)
          .where('id', '=', sent.itemId)
          .executeTakeFirst();
  if (item === undefined) return refused('unknown', { content });
  if (content.itemId !== item.id) return refused('other-report', { content });
  if (content.expiresAtMs <= nowMs) return refused('expired', { content, item });
  const link = await services.db
    .selectFrom('links')
    .select('revoked_at')
    .where('id', '=', content.linkId)
    .where('tenant_id', '=', tenant.id)
    .executeTakeFirst();
  if (link === undefined || link.revoked_at !== null) return refused('revoked', { content, item });
  return { kind: 'open', item, content };
};

/** Whether another tenant of this portal issued the key. A changed one counts as tampered, as for this tenant. */
const isOfAnotherTenant = async (services: Services, tenant: Tenant, key: string): Promise<boolean> =>
  (await listTenants(services.db)).some(
    (other) => other.id !== tenant.id && openKey(key, other.id, other.sealKey).kind === 'content',
  );
