import { randomUUID } from 'node:crypto';
import { resources } from '@vitrine/contract/service';
import { fieldSchema } from '@vitrine/contract/service/schemas';
import { z } from 'zod';
import { change } from '../change.ts';
import { newColumns, serviceRow } from '../database/rows.ts';
import type { Row } from '../database/schema.ts';
import { changeRow, findRow, insertRow, type Place, removeRow, rowsOf } from '../database/tenantRows.ts';
import { conflict } from '../http/portalFailure.ts';
import { visualsOf } from '../reports/definitions/reportDefinitions.ts';
import { reportKinds } from '../reports/shared/reportKinds.ts';
import { type Route, serviceRoute, tenantRoute, wholeList } from '../route.ts';
import { findRoles } from './roles.ts';

/** What the console shows of items beyond the service's own list. */
export const itemExtras = async (place: Place) =>
  (await rowsOf(place, 'items')).map(({ id, hasRls, report }) => ({ id, hasRls, report }));

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** The names of roles in the roles' own spelling; 400 for a name that does not exist. */
const namesOfRoles = async (place: Place, names: readonly string[]): Promise<string[]> =>
  (await findRoles(place, names)).map(({ name }) => name);

/** Refuses a report without the visuals that tasks of the item are bound to. */
const checkTasks = async (place: Place, id: number, report: string): Promise<void> => {
  const visuals = visualsOf(report);
  for (const { itemId, name, visualNames } of await rowsOf(place, 'tasks')) {
    const missing = itemId === id ? visualNames.find((visual) => !visuals.includes(visual)) : undefined;
    if (missing !== undefined)
      throw conflict(
        'report',
        `the task "${name}" is bound to the visual ${missing}, which this report does not have`,
      );
  }
};

const { fields } = resources.item;

/** Body of a change to an item. */
const itemChangeSchema = z
  .strictObject({
    type: fieldSchema(fields.type),
    workspaceId: fieldSchema(fields.workspaceId),
    reportId: fieldSchema(fields.reportId),
    displayName: fieldSchema(fields.displayName),
    roles: fieldSchema(fields.roles),
    additionalData: fieldSchema(fields.additionalData),
    hasRls: z.boolean(),
    report: z.enum(reportKinds),
  })
  .partial();

/** Refuses the report of another item in the same workspace. */
const refuseTaken = (
  items: readonly Row<'items'>[],
  { id, workspaceId, reportId }: Pick<Row<'items'>, 'workspaceId' | 'reportId'> & { readonly id?: number },
): void => {
  const isTaken = (other: Row<'items'>) =>
    other.id !== id && isSame(other.workspaceId, workspaceId) && isSame(other.reportId, reportId);
  const same = items.find(isTaken);
  if (same !== undefined)
    throw conflict('reportId', `item ${same.id} already imports this report from this workspace`);
};

/** Items (docs/interface.md#4.4). */
export const itemRoutes: readonly Route[] = [
  serviceRoute(
    'listItems',
    wholeList(async (place) => (await rowsOf(place, 'items')).map((row) => serviceRow('item', row))),
  ),
  serviceRoute('importItem', (call) =>
    change(call, 'ItemImported', async (changing) => {
      const { db, tenantId, atMs } = changing;
      const { type, workspaceId, reportId, displayName, additionalData } = call.body;
      const roles = await namesOfRoles(changing, call.body.roles);
      const items = await rowsOf(changing, 'items');
      refuseTaken(items, { workspaceId, reportId });
      // Numbers are never reused: a page with the ID of a removed item must not show another.
      const removed = await db
        .selectFrom('audit_logs')
        .select('resourceId')
        .where('tenantId', '=', tenantId)
        .where('actionType', '=', 'ItemRemoved')
        .execute();
      const used = [...items.map((other) => other.id), ...removed.map((record) => Number(record.resourceId))];
      const row = await insertRow(db, 'items', {
        ...newColumns('item', { ...call.body, roles }),
        tenantId,
        id: used.reduce((highest, number) => Math.max(highest, number), 1000) + 1,
        guid: randomUUID(),
        hasRls: additionalData.some((related) => related.hasRls),
        report: type === 'dashboard' ? 'operations' : 'sales',
        dataset: call.tenant.dataset,
        createdAt: atMs,
      });
      return {
        id: row.id,
        description: `The item "${displayName}" was imported.`,
        details: { type, workspaceId, reportId },
        result: serviceRow('item', row),
      };
    }),
  ),
  tenantRoute('PATCH /items/{itemId}', 'Changes an item.', {
    body: ['ItemChange', itemChangeSchema],
    refusals: [409],
    handle: (call) =>
      change(call, 'ItemUpdated', async (changing) => {
        const item = await findRow(changing, 'items', call.params['itemId'], 'itemId');
        const columns = {
          ...call.body,
          ...(call.body.roles && { roles: await namesOfRoles(changing, call.body.roles) }),
        };
        const { workspaceId = item.workspaceId, reportId = item.reportId } = columns;
        refuseTaken(await rowsOf(changing, 'items'), { id: item.id, workspaceId, reportId });
        await checkTasks(changing, item.id, columns.report ?? item.report);
        return changeRow(changing, 'items', item, columns);
      }),
  }),
  tenantRoute('DELETE /items/{itemId}', 'Removes an item: its links end, and its tasks are unbound.', {
    handle: (call) =>
      change(call, 'ItemRemoved', async (changing) => {
        const { db, tenantId, atMs } = changing;
        const item = await findRow(changing, 'items', call.params['itemId'], 'itemId');
        const links = await db
          .updateTable('links')
          .set({ revokedAt: atMs })
          .where('tenantId', '=', tenantId)
          .where('itemId', '=', item.id)
          .where('revokedAt', 'is', null)
          .where((either) => either.or([either('expiresAt', 'is', null), either('expiresAt', '>', atMs)]))
          .returning('id')
          .execute();
        const tasks = await db
          .updateTable('tasks')
          .set({ itemId: null })
          .where('tenantId', '=', tenantId)
          .where('itemId', '=', item.id)
          .returning('id')
          .execute();
        const [revokedLinks, taskIds] = [links, tasks].map((rows) => rows.map(({ id }) => id));
        return { ...(await removeRow(changing, 'items', item)), details: { revokedLinks, taskIds } };
      }),
  }),
];
