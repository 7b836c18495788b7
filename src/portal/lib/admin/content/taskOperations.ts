import { z } from 'zod';
import { jsonReply } from '../../http/exchange.ts';
import { defineOperation } from '../../http/operation.ts';
import { chosen, stated } from '../../openapi/provenance.ts';
import { cutWhole, listSchema, optionalPagingSchema } from '../paging.ts';

/** A task as the portal returns it. The secret is never part of it. */
export const taskSchema = z.strictObject({
  id: chosen(z.int(), 'Internal number.'),
  name: chosen(z.string(), 'Name of the task.'),
  description: chosen(z.string(), 'Free text.'),
  kind: stated('2.5', z.enum(['webhook', 'daxQuery']), 'What the task does.'),
  reportId: chosen(z.int().nullable(), 'Item ID of the report it is bound to, or null.'),
  visualNames: chosen(z.array(z.string()), 'Visuals it is bound to.'),
  webhookUrl: chosen(z.string().nullable(), 'Where a webhook task sends to, or null.'),
  hasSecret: chosen(z.boolean(), 'Whether a secret token is sent; the token itself is never returned.'),
  enabled: chosen(z.boolean(), 'Whether the task runs.'),
});

/** `GET /v1/tasks` (interface 4.4). */
export const listTasks = defineOperation({
  tag: 'Items, tasks, links',
  section: '4.4',
  permission: 'Administration.Tasks',
  method: 'GET',
  path: '/v1/tasks',
  operationId: 'listTasks',
  summary: 'All tasks of the tenant: webhooks and DAX queries.',
  query: optionalPagingSchema,
  success: { status: 200, schema: listSchema(taskSchema) },
  handle: async ({ services, tenant, query }) => {
    const rows = await services.db
      .selectFrom('tasks')
      .selectAll()
      .where('tenant_id', '=', tenant.id)
      .orderBy('id')
      .execute();
    return jsonReply(
      200,
      cutWhole(
        rows.map((row) => ({
          id: row.id,
          name: row.name,
          description: row.description,
          kind: row.kind,
          reportId: row.item_id,
          visualNames: JSON.parse(row.visual_names) as unknown,
          webhookUrl: row.webhook_url,
          hasSecret: row.secret !== null,
          enabled: row.is_enabled === 1,
        })),
        query,
      ),
    );
  },
});
