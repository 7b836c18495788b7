import { recordedChange } from '../../audit/recordedChange.ts';
import { sliceRows } from '../../http/listPages.ts';
import { jsonReply } from '../../http/portalReply.ts';
import { defineOperation } from '../../service/operation.ts';
import { actorOf } from '../actorOf.ts';
import { defineWholeList } from '../wholeList.ts';
import { importItem, readItems } from './storedItems.ts';

/** Operations of items (docs/interface.md#4.4). */
export const itemOperations = [
  defineWholeList('listItems', async ({ db }, tenant, range) =>
    sliceRows(await readItems(db, tenant.id), range),
  ),
  defineOperation('importItem', async (call) => {
    const { services, tenant, body } = call;
    const item = await recordedChange(services, tenant.id, (change) =>
      importItem(change, actorOf(call), { item: body, dataset: tenant.dataset }),
    );
    return jsonReply(201, item);
  }),
];
