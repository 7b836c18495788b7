import { randomUUID } from 'node:crypto';
import { recordedChange } from '../../audit/recordedChange.ts';
import { sliceRows } from '../../http/listPages.ts';
import { notFound } from '../../http/portalFailure.ts';
import { jsonReply } from '../../http/portalReply.ts';
import { defineOperation } from '../../service/operation.ts';
import { actorOf } from '../actorOf.ts';
import { defineWholeList } from '../wholeList.ts';
import { createUnit } from './createUnit.ts';
import { readUnits } from './readUnits.ts';
import { syncUnit } from './syncUnit.ts';

/** Operations of organizational units (docs/interface.md#4.3). */
export const unitOperations = [
  defineWholeList('listOrganizationUnits', async ({ db }, tenant, range) =>
    sliceRows(await readUnits(db, tenant.id), range),
  ),
  defineOperation('createOrganizationUnit', async (call) => {
    const unit = await recordedChange(call.services, call.tenant.id, (change) =>
      createUnit(change, actorOf(call), call.body),
    );
    return jsonReply(201, unit);
  }),
  defineOperation('syncOrganizationUnit', async (call) => {
    const text = call.params['ouId'] ?? '';
    if (!/^[1-9]\d{0,8}$/.test(text)) throw notFound('The organizational unit', 'ouId');
    const syncId = randomUUID();
    const counts = await recordedChange(call.services, call.tenant.id, (change) =>
      syncUnit(change, { unitId: Number(text), actor: actorOf(call), syncId }),
    );
    return jsonReply(202, { syncId, status: 'completed', ...counts });
  }),
];
