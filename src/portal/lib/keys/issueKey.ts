import { type Actor, change } from '../change.ts';
import type { Services } from '../services.ts';
import type { Tenant } from '../tenant.ts';
import { sealKey } from './sealKey.ts';

/** A key to issue. */
export interface NewKey {
  readonly tenant: Tenant;
  readonly item: { readonly id: number; readonly display_name: string };
  readonly userId: string;
  readonly roleNames: readonly string[];
  /** Expiry of the key in links and in the audit log. */
  readonly expiresAtMs: number;
  /** The requested expiry, if it was shortened. */
  readonly requestedExpiresAtMs?: number;
  /** Expiry inside the key, if a fault makes it earlier. */
  readonly sealedEndMs?: number;
  readonly actor: Actor;
}

/** Writes the link of a key and its audit record in one transaction, and seals the key. */
export const issueKey = async (services: Services, key: NewKey): Promise<string> => {
  const { tenant, item, userId, roleNames, expiresAtMs } = key;
  const linkId = await change({ services, tenant, actor: key.actor }, 'KeyCreated', async ({ db, atMs }) => {
    const link = await db
      .insertInto('links')
      .values({
        tenant_id: tenant.id,
        kind: 'reportKey',
        name: `${item.display_name} for ${userId}`,
        item_id: item.id,
        user_id: userId,
        expires_at: expiresAtMs,
        requested_expires_at: key.requestedExpiresAtMs ?? null,
        revoked_at: null,
        created_at: atMs,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return {
      id: link.id,
      resourceType: 'ReportKey',
      description: `A key for the item ${item.id} was created for ${userId}.`,
      details: { itemId: item.id, viewer: userId, roleNames, expiresAt: new Date(expiresAtMs).toISOString() },
      result: link.id,
    };
  });
  return sealKey(
    {
      tenantId: tenant.id,
      itemId: item.id,
      userId,
      roleNames,
      expiresAtMs: key.sealedEndMs ?? expiresAtMs,
      linkId,
    },
    tenant.sealKey,
    services.randomBytes,
  );
};
