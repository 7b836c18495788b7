import { type Actor, change } from '../change.ts';
import { findRow, insertRow } from '../database/tenantRows.ts';
import type { Services } from '../services.ts';
import type { Tenant } from '../tenant.ts';
import { sealKey } from './sealKey.ts';

/** A key to issue. */
export interface NewKey {
  readonly tenant: Tenant;
  readonly item: { readonly id: number; readonly displayName: string };
  readonly userId: string;
  readonly roleNames: readonly string[];
  /** Expiry of the key in links and in the audit log. */
  readonly expiresAtMs: number;
  /** The requested expiry, if it was shortened. */
  readonly requestedExpiresAtMs?: number;
  readonly actor: Actor;
}

/** Writes the link of a key and its audit record in one transaction, and seals the key. */
export const issueKey = async (services: Services, key: NewKey): Promise<string> => {
  const { tenant, item, userId, roleNames, expiresAtMs } = key;
  const linkId = await change({ services, tenant, actor: key.actor }, 'KeyCreated', async (changing) => {
    // It may have been removed while this change waited for its turn.
    await findRow(changing, 'items', item.id, 'value.reportId');
    const { id } = await insertRow(changing.db, 'links', {
      tenantId: tenant.id,
      kind: 'reportKey',
      name: `${item.displayName} for ${userId}`,
      itemId: item.id,
      userId,
      expiresAt: expiresAtMs,
      requestedExpiresAt: key.requestedExpiresAtMs ?? null,
      revokedAt: null,
      createdAt: changing.atMs,
    });
    return {
      id,
      resourceType: 'ReportKey',
      description: `A key for the item ${item.id} was created for ${userId}.`,
      details: { itemId: item.id, viewer: userId, roleNames, expiresAt: new Date(expiresAtMs).toISOString() },
      result: id,
    };
  });
  const content = { tenantId: tenant.id, itemId: item.id, userId, roleNames, expiresAtMs, linkId };
  return sealKey(content, tenant.sealKey);
};
