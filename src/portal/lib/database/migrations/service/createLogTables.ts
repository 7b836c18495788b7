import type { SchemaBuilder } from '../schemaBuilder.ts';

/** The audit log and the log of webhooks. */
export const createLogTables = async ({ table, index, unique }: SchemaBuilder): Promise<void> => {
  await table('audit_logs', {
    id: 'growing',
    text: ['action_type', 'resource_type', 'resource_id', 'description', 'result', 'details'],
    number: ['tenant_id', 'seq', 'at'],
    optionalText: ['user_email', 'ip_address'],
    optionalNumber: ['user_id'],
  });
  await unique('audit_logs_in_order', 'audit_logs', ['tenant_id', 'seq']);
  await index('audit_logs_by_type', 'audit_logs', ['tenant_id', 'action_type', 'seq']);
  await index('audit_logs_by_user', 'audit_logs', ['tenant_id', 'user_id', 'seq']);
  await index('audit_logs_by_time', 'audit_logs', ['tenant_id', 'at']);

  await table('delivery_log', {
    id: 'growing',
    text: ['url', 'visual', 'body', 'outcome'],
    number: ['tenant_id', 'task_id', 'at', 'duration_ms'],
    optionalText: ['error'],
    optionalNumber: ['status', 'replay_of'],
  });
};
