import { randomUUID } from 'node:crypto';
import type { ServiceNewRow, ServiceRow } from '@vitrine/contract/service';
import type { Kysely } from 'kysely';
import type { Change } from '../../audit/recordedChange.ts';
import type { Actor } from '../../audit/writeAuditRecord.ts';
import { rowsOf } from '../../database/rowsOf.ts';
import type { Row, Tables } from '../../database/schema.ts';
import { conflict } from '../../http/portalFailure.ts';
import { findRoleIds } from '../users/userReferences.ts';

const toItemBody = (row: Row<'items'>): ServiceRow<'item'> => ({
  id: row.id,
  guid: row.guid,
  type: row.type,
  workspaceId: row.workspace_id,
  reportId: row.report_id,
  displayName: row.display_name,
  // Imports and seeds write both as JSON of these types.
  roles: JSON.parse(row.roles) as ServiceRow<'item'>['roles'],
  additionalData: JSON.parse(row.additional_data) as ServiceRow<'item'>['additionalData'],
  createdAt: new Date(row.created_at).toISOString(),
});

/** All items of a tenant, by number. */
export const readItems = async (db: Kysely<Tables>, tenantId: number): Promise<ServiceRow<'item'>[]> =>
  (await rowsOf(db, 'items', { tenantId })).map(toItemBody);

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Imports an item; a report of a workspace can be imported once. `dataset` names its rows. */
export const importItem = async (
  change: Change,
  actor: Actor,
  { item, dataset }: { readonly item: ServiceNewRow<'item'>; readonly dataset: string },
): Promise<ServiceRow<'item'>> => {
  const { db, tenantId, atMs } = change;
  await findRoleIds(change, item.roles);
  const items = await db
    .selectFrom('items')
    .select(['id', 'workspace_id', 'report_id'])
    .where('tenant_id', '=', tenantId)
    .execute();
  const same = items.find(
    (other) => isSame(other.workspace_id, item.workspaceId) && isSame(other.report_id, item.reportId),
  );
  if (same !== undefined)
    throw conflict('reportId', `item ${same.id} already imports this report from this workspace`);
  // Numbers are never reused: a page with the ID of a removed item must not show another.
  const removed = await db
    .selectFrom('audit_logs')
    .select('resource_id')
    .where('tenant_id', '=', tenantId)
    .where('action_type', '=', 'ItemRemoved')
    .execute();
  const used = [...items.map((other) => other.id), ...removed.map((record) => Number(record.resource_id))];
  const id = used.reduce((highest, number) => Math.max(highest, number), 1000) + 1;
  await change.record({
    actionType: 'ItemImported',
    actor,
    resourceType: 'Item',
    resourceId: id,
    description: `The item "${item.displayName}" was imported.`,
    details: { type: item.type, workspaceId: item.workspaceId, reportId: item.reportId },
  });
  const row = await db
    .insertInto('items')
    .values({
      tenant_id: tenantId,
      id,
      guid: randomUUID(),
      type: item.type,
      workspace_id: item.workspaceId,
      report_id: item.reportId,
      display_name: item.displayName,
      roles: JSON.stringify(item.roles),
      additional_data: JSON.stringify(item.additionalData),
      has_rls: Number(item.additionalData.some((related) => related.hasRls)),
      report: item.type === 'dashboard' ? 'operations' : 'sales',
      dataset,
      created_at: atMs,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toItemBody(row);
};
