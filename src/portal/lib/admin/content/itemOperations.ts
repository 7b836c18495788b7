import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { recordedChange } from '../../audit/recordedChange.ts';
import type { ItemsTable } from '../../database/tables/content.ts';
import { jsonReply } from '../../http/exchange.ts';
import { chosen, stated } from '../../openapi/provenance.ts';
import { defineOperation } from '../../service/operation.ts';
import { actorOf } from '../actor.ts';
import { text } from '../text.ts';
import { findRoleIds } from '../users/userReferences.ts';
import { defineWholeList } from '../wholeList.ts';

const shared = { tag: 'Items, tasks, links', section: '4.4', permission: 'Administration.Items' } as const;

const guid = z.guid('must be a GUID');
const type = stated('2.4', z.enum(['report', 'dashboard', 'app']), 'Kind of item.');
const workspaceId = stated('2.4', guid, 'Workspace of the BI platform that holds the content.');
const reportId = stated('2.4', guid, 'Report identifier in the BI platform.');
const displayName = stated('2.4', text(256), 'Name shown in the service.');
const additionalData = z
  .array(
    z.strictObject({
      type: stated('2.4', z.enum(['semanticModel', 'dataset']), 'Kind of related content.'),
      id: stated('2.4', guid, 'Identifier in the BI platform.'),
      hasRls: stated('2.4', z.boolean(), 'Whether it filters its rows by role.'),
    }),
  )
  .max(50);

const importItemSchema = z.strictObject({
  type,
  workspaceId,
  reportId,
  displayName,
  roles: stated('2.4', z.array(text(128)).max(200).default([]), 'Role names that apply to the item.'),
  additionalData: stated('2.4', additionalData.default([]), 'Related content.'),
});

/** An item as the portal returns it. */
export const itemSchema = z.strictObject({
  id: chosen(z.int(), 'The Item ID as a number: `value.reportId` of CreateEncryptedKey.'),
  guid: chosen(z.guid(), 'The Item ID as a GUID: `reportId` of webhooks.'),
  type,
  workspaceId,
  reportId,
  displayName,
  roles: stated('2.4', z.array(z.string()), 'Role names that apply to the item.'),
  additionalData: stated('2.4', additionalData, 'Related content.'),
  createdAt: chosen(z.iso.datetime(), 'ISO 8601 UTC.'),
});

const toItemBody = (row: Selectable<ItemsTable>): unknown => ({
  id: row.id,
  guid: row.guid,
  type: row.type,
  workspaceId: row.workspace_id,
  reportId: row.report_id,
  displayName: row.display_name,
  roles: JSON.parse(row.roles) as unknown,
  additionalData: JSON.parse(row.additional_data) as unknown,
  createdAt: new Date(row.created_at).toISOString(),
});

const listItems = defineWholeList({
  ...shared,
  path: '/v1/items',
  operationId: 'listItems',
  summary: 'All items of the tenant.',
  row: itemSchema,
  read: async ({ db }, tenant) =>
    (await db.selectFrom('items').selectAll().where('tenant_id', '=', tenant.id).orderBy('id').execute()).map(
      toItemBody,
    ),
});

const importItem = defineOperation({
  ...shared,
  method: 'POST',
  path: '/v1/items',
  operationId: 'importItem',
  summary: 'Imports an item into the tenant.',
  body: importItemSchema,
  success: { status: 201, schema: itemSchema },
  handle: async (call) => {
    const { services, tenant, body } = call;
    const row = await recordedChange(services, tenant.id, async (change) => {
      const { db, atMs } = change;
      await findRoleIds(change, body.roles);
      const { highest } = await db
        .selectFrom('items')
        .select((builder) => builder.fn.max('id').as('highest'))
        .where('tenant_id', '=', tenant.id)
        .executeTakeFirstOrThrow();
      const id = (highest ?? 1000) + 1;
      await change.record({
        actionType: 'ItemImported',
        actor: actorOf(call),
        resourceType: 'Item',
        resourceId: id,
        description: `The item "${body.displayName}" was imported.`,
        details: { type: body.type, workspaceId: body.workspaceId, reportId: body.reportId },
      });
      return db
        .insertInto('items')
        .values({
          tenant_id: tenant.id,
          id,
          guid: randomUUID(),
          type: body.type,
          workspace_id: body.workspaceId,
          report_id: body.reportId,
          display_name: body.displayName,
          roles: JSON.stringify(body.roles),
          additional_data: JSON.stringify(body.additionalData),
          has_rls: Number(body.additionalData.some((related) => related.hasRls)),
          report: body.type === 'dashboard' ? 'operations' : 'sales',
          dataset: tenant.dataset,
          created_at: atMs,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
    });
    return jsonReply(201, toItemBody(row), { location: `/v1/items/${row.id}` });
  },
});

/** Operations of items (interface 4.4). */
export const itemOperations = [listItems, importItem];
