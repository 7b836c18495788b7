import type { SchemaBuilder } from '../schemaBuilder.ts';

/** Items, tasks, links and the viewers of reports. */
export const createContentTables = async ({ table, index, unique }: SchemaBuilder): Promise<void> => {
  await table('items', {
    number: ['tenant_id', 'id', 'has_rls', 'created_at'],
    text: [
      'guid',
      'type',
      'workspace_id',
      'report_id',
      'display_name',
      'roles',
      'additional_data',
      'report',
      'dataset',
    ],
  });
  await unique('items_by_number', 'items', ['tenant_id', 'id']);
  await unique('items_by_guid', 'items', ['guid']);

  await table('tasks', {
    id: 'growing',
    text: ['name', 'description', 'kind', 'visual_names'],
    number: ['tenant_id', 'is_enabled', 'created_at'],
    optionalText: ['webhook_url', 'secret', 'query'],
    optionalNumber: ['item_id'],
  });
  await index('tasks_of_tenant', 'tasks', ['tenant_id']);

  await table('links', {
    id: 'growing',
    text: ['kind', 'name'],
    number: ['tenant_id', 'item_id', 'created_at'],
    optionalNumber: ['expires_at', 'revoked_at'],
    optionalText: ['user_id'],
  });
  await index('links_of_tenant', 'links', ['tenant_id', 'expires_at']);

  await table('viewers', { id: 'growing', text: ['user_id'], number: ['tenant_id'] });
  await unique('viewers_once', 'viewers', ['tenant_id', 'user_id']);
};
