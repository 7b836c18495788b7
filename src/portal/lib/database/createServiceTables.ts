import type { SchemaBuilder } from './schemaBuilder.ts';

/** Tenants, their API keys, and the portal's metadata. */
const createTenantTables = async ({ table, unique }: SchemaBuilder): Promise<void> => {
  await table('meta', { text: ['key', 'value'] });
  await unique('meta_by_key', 'meta', ['key']);

  await table('tenants', {
    id: 'given',
    text: ['tenancy_name', 'display_name', 'passphrase_digest', 'seal_key', 'frame_ancestors', 'dataset'],
    number: ['audit_seq', 'audit_in_order', 'user_count', 'is_template', 'created_at'],
  });
  await unique('tenants_by_name', 'tenants', ['tenancy_name']);

  await table('api_keys', {
    id: 'growing',
    text: ['name', 'digest', 'permissions'],
    number: ['tenant_id', 'created_at'],
    optionalNumber: ['user_id', 'revoked_at'],
  });
  await unique('api_keys_by_digest', 'api_keys', ['digest']);
};

/** Users, roles, organizational units, and the directory that synchronizations read. */
const createPeopleTables = async ({ table, index, unique }: SchemaBuilder): Promise<void> => {
  await table('users', {
    id: 'growing',
    text: ['type', 'email', 'email_key', 'first_name', 'last_name'],
    number: ['tenant_id', 'is_active', 'created_at', 'updated_at'],
    optionalNumber: ['last_login_at'],
    optionalText: ['directory_person_id'],
  });
  await unique('users_by_email', 'users', ['tenant_id', 'email_key']);
  await index('users_in_order', 'users', ['tenant_id', 'id']);

  await table('roles', {
    id: 'growing',
    text: ['name', 'name_key', 'type', 'description'],
    number: ['tenant_id', 'is_system', 'created_at'],
    optionalText: ['code', 'rule'],
  });
  await unique('roles_by_name', 'roles', ['tenant_id', 'name_key']);
  await unique('roles_by_code', 'roles', ['tenant_id', 'code']);

  await table('user_roles', { number: ['tenant_id', 'user_id', 'role_id'] });
  await unique('user_roles_once', 'user_roles', ['user_id', 'role_id']);

  await table('organization_units', {
    id: 'growing',
    text: ['name'],
    number: ['tenant_id', 'created_at'],
    optionalNumber: ['parent_id'],
    optionalText: ['directory_group_id'],
  });
  await index('organization_units_of_tenant', 'organization_units', ['tenant_id']);

  await table('memberships', {
    number: ['tenant_id', 'user_id', 'organization_unit_id'],
    text: ['source'],
  });
  await unique('memberships_once', 'memberships', ['user_id', 'organization_unit_id']);
  await index('memberships_of_unit', 'memberships', ['organization_unit_id']);

  await table('directory_groups', { number: ['tenant_id'], text: ['id', 'name'] });
  await unique('directory_groups_once', 'directory_groups', ['tenant_id', 'id']);
  await table('directory_people', {
    number: ['tenant_id'],
    text: ['id', 'email', 'first_name', 'last_name', 'type'],
  });
  await unique('directory_people_once', 'directory_people', ['tenant_id', 'id']);
  await table('directory_members', { number: ['tenant_id'], text: ['group_id', 'person_id'] });
  await unique('directory_members_once', 'directory_members', ['tenant_id', 'group_id', 'person_id']);
};

/** Items, tasks, links and the viewers of reports. */
const createContentTables = async ({ table, index, unique }: SchemaBuilder): Promise<void> => {
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
    optionalNumber: ['expires_at', 'requested_expires_at', 'revoked_at'],
    optionalText: ['user_id'],
  });
  await index('links_of_tenant', 'links', ['tenant_id', 'expires_at']);

  await table('viewers', { id: 'growing', text: ['user_id'], number: ['tenant_id'] });
  await unique('viewers_once', 'viewers', ['tenant_id', 'user_id']);
};

/** The audit log and the log of webhooks. */
const createLogTables = async ({ table, index, unique }: SchemaBuilder): Promise<void> => {
  await table('audit_logs', {
    id: 'growing',
    text: ['action_type', 'resource_type', 'resource_id', 'description', 'result', 'details'],
    number: ['tenant_id', 'seq', 'at'],
    optionalText: ['user_email', 'ip_address'],
    optionalNumber: ['user_id'],
  });
  await unique('audit_logs_in_order', 'audit_logs', ['tenant_id', 'seq']);
  // The log is read by time, and by number for equal times. Each index has both, so that a page needs no sorting.
  await index('audit_logs_by_type', 'audit_logs', ['tenant_id', 'action_type', 'at', 'seq']);
  await index('audit_logs_by_user', 'audit_logs', ['tenant_id', 'user_id', 'at', 'seq']);
  await index('audit_logs_by_time', 'audit_logs', ['tenant_id', 'at', 'seq']);

  await table('delivery_log', {
    id: 'growing',
    text: ['url', 'visual', 'body', 'outcome'],
    number: ['tenant_id', 'task_id', 'at', 'duration_ms'],
    optionalText: ['error'],
    optionalNumber: ['status', 'replay_of'],
  });
};

/** The tables of the service. */
export const createServiceTables = async (schema: SchemaBuilder): Promise<void> => {
  await createTenantTables(schema);
  await createPeopleTables(schema);
  await createContentTables(schema);
  await createLogTables(schema);
};
