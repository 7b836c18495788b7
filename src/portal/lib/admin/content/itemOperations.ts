import { recordedChange } from '../../audit/recordedChange.ts';
import { sliceRows } from '../../http/listPages.ts';
import { jsonReply } from '../../http/portalReply.ts';
import { defineOperation } from '../../service/operation.ts';
import { actorOf } from '../actorOf.ts';
import { defineWholeList } from '../wholeList.ts';
import { importItemSchema, itemSchema } from './itemSchemas.ts';
import { importItem, readItems } from './storedItems.ts';

const shared = { tag: 'Items, tasks, links', section: '4.4', permission: 'Administration.Items' } as const;

/** Operations of items (docs/interface.md#4.4). */
export const itemOperations = [
  defineWholeList({
    ...shared,
    path: '/v1/items',
    operationId: 'listItems',
    summary: 'All items of the tenant.',
    row: itemSchema,
    read: async ({ db }, tenant, range) => sliceRows(await readItems(db, tenant.id), range),
  }),
  defineOperation({
    ...shared,
    method: 'POST',
    path: '/v1/items',
    operationId: 'importItem',
    summary: 'Imports an item into the tenant.',
    body: importItemSchema,
    success: { status: 201, schema: itemSchema },
    refusals: [409],
    handle: async (call) => {
      const { services, tenant, body } = call;
      const item = await recordedChange(services, tenant.id, (change) =>
        importItem(change, actorOf(call), { item: body, dataset: tenant.dataset }),
      );
      return jsonReply(201, item);
    },
  }),
];
