import { recordedChange } from '../audit/recordedChange.ts';
import { notFound } from '../http/portalFailure.ts';
import type { Services, Tenant } from '../services.ts';
import { controlActor } from './controlActor.ts';

/** Removes an item: its links end, its tasks are bound to nothing, and its report page says that it does not exist. */
export const removeItem = (services: Services, tenant: Tenant, itemId: number): Promise<void> =>
  recordedChange(services, tenant.id, async ({ db, atMs, record }) => {
    const item = await db
      .deleteFrom('items')
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', itemId)
      .returning('display_name')
      .executeTakeFirst();
    if (item === undefined) throw notFound('The item', 'itemId');
    await db
      .updateTable('links')
      .set({ revoked_at: atMs })
      .where('tenant_id', '=', tenant.id)
      .where('item_id', '=', itemId)
      .where('revoked_at', 'is', null)
      .execute();
    await db
      .updateTable('tasks')
      .set({ item_id: null })
      .where('tenant_id', '=', tenant.id)
      .where('item_id', '=', itemId)
      .execute();
    await record({
      actionType: 'ItemRemoved',
      actor: controlActor,
      resourceType: 'Item',
      resourceId: itemId,
      description: `The item "${item.display_name}" was removed.`,
    });
  });
