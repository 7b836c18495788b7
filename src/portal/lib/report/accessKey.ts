import type { Selectable } from 'kysely';
import type { ItemsTable } from '../database/tables/content.ts';
import { type KeyContent, openKey } from '../embedding/sealedKey.ts';
import type { Services, Tenant } from '../services.ts';
import { listTenants } from '../tenants/findTenant.ts';

/** Why a report does not open. */
export type RefusalReason =
  | 'missing'
  | 'tampered'
  | 'foreign'
  | 'unknown'
  | 'other-report'
  | 'expired'
  | 'revoked';

/** What a key opens. */
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
      /** What the developer of the host app can do about it. */
      readonly hint?: string;
    };

const refused = (reason: RefusalReason): ReportAccess => ({ kind: 'refused', reason });

/** Decides what the key in `?ev=` opens on a tenant's origin (interface 4.7). */
export const openReport = async (
  services: Services,
  tenant: Tenant,
  sent: { readonly itemId: number | undefined; readonly key: string | undefined },
): Promise<ReportAccess> => {
  if (sent.key === undefined || sent.key === '') return refused('missing');
  const opened = openKey(sent.key, tenant.id, tenant.sealKey);
  if (opened.kind === 'not-a-key')
    return { kind: 'refused', reason: 'tampered', hint: changedKeyHint(sent.key) };
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
  if (item === undefined) return refused('unknown');
  if (content.itemId !== item.id) return refused('other-report');
  if (content.expiresAtMs <= services.clock.now()) return { kind: 'refused', reason: 'expired', item };
  const link = await services.db
    .selectFrom('links')
    .select('revoked_at')
    .where('id', '=', content.linkId)
    .where('tenant_id', '=', tenant.id)
    .executeTakeFirst();
  if (link === undefined || link.revoked_at !== null) return { kind: 'refused', reason: 'revoked', item };
  return { kind: 'open', item, content };
};

/** Says how a key was probably changed on its way. */
const changedKeyHint = (key: string): string => {
  const repair = 'Percent-encode it once, with encodeURIComponent, when you build the address.';
  if (key.includes(' '))
    return `The key in ev holds spaces: it was sent without percent-encoding its "+". ${repair}`;
  if (/%[0-9a-f]{2}/i.test(key))
    return `The key in ev still holds "%": it was percent-encoded twice. ${repair}`;
  return `The key in ev is not as it was issued. ${repair}`;
};

/** Whether another tenant of this portal made the key. A changed one of theirs counts as tampered, as ours would. */
const isOfAnotherTenant = async (services: Services, tenant: Tenant, key: string): Promise<boolean> =>
  (await listTenants(services.db)).some(
    (other) => other.id !== tenant.id && openKey(key, other.id, other.sealKey).kind === 'content',
  );
