import { notFound } from '../http/portalFailure.ts';
import { rowId } from '../http/rowId.ts';
import { type ControlledTenant, controlChange } from './controlChange.ts';

/** Removes an item: its links expire, its tasks are unbound, and its report page no longer exists. */
export const removeItem = (place: ControlledTenant, given: unknown): Promise<void> =>
  controlChange(place, async ({ db, tenantId, atMs }) => {
    const itemId = rowId(given, 'The item', 'itemId');
    const item = await db
      .deleteFrom('items')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', itemId)
      .returning('display_name')
      .executeTakeFirstOrThrow(() => notFound('The item', 'itemId'));
    await db
      .updateTable('links')
      .set({ revoked_at: atMs })
      .where('tenant_id', '=', tenantId)
      .where('item_id', '=', itemId)
      .where('revoked_at', 'is', null)
      .execute();
    await db
      .updateTable('tasks')
      .set({ item_id: null })
      .where('tenant_id', '=', tenantId)
      .where('item_id', '=', itemId)
      .execute();
    return {
      actionType: 'ItemRemoved',
      resourceType: 'Item',
      resourceId: itemId,
      description: `The item "${item.display_name}" was removed.`,
    };
  });

/** Revokes a link: its report closes within seconds. */
export const revokeLink = (place: ControlledTenant, given: unknown): Promise<void> =>
  controlChange(place, async ({ db, tenantId, atMs }) => {
    const linkId = rowId(given, 'The link', 'linkId');
    const link = await db
      .updateTable('links')
      .set({ revoked_at: atMs })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', linkId)
      .where('revoked_at', 'is', null)
      .returning(['id', 'name', 'kind'])
      .executeTakeFirstOrThrow(() => notFound('The link', 'linkId'));
    return {
      actionType: 'KeyRevoked',
      resourceType: link.kind === 'reportKey' ? 'ReportKey' : 'SlideshowLink',
      resourceId: link.id,
      description: `The link "${link.name}" was revoked.`,
    };
  });
