import type { CreateTableBuilder, Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Tables } from './tables.ts';

/** The two databases the portal runs on. */
export type DatabaseKind = 'sqlite' | 'postgres';

/** The one set of migrations; the kind decides only how a growing number is declared. */
export const createMigrations = (kind: DatabaseKind): Record<string, Migration> => ({
  '001_service': { up: (db: Kysely<Tables>) => createService(db, kind) },
});

const text = <T extends string>(builder: CreateTableBuilder<T>, ...names: string[]) =>
  names.reduce<CreateTableBuilder<string>>(
    (made, name) => made.addColumn(name, 'text', (column) => column.notNull()),
    builder as CreateTableBuilder<string>,
  );
const number = <T extends string>(builder: CreateTableBuilder<T>, ...names: string[]) =>
  names.reduce<CreateTableBuilder<string>>(
    (made, name) => made.addColumn(name, 'bigint', (column) => column.notNull()),
    builder as CreateTableBuilder<string>,
  );
const optional = <T extends string>(
  builder: CreateTableBuilder<T>,
  type: 'text' | 'bigint',
  ...names: string[]
) =>
  names.reduce<CreateTableBuilder<string>>(
    (made, name) => made.addColumn(name, type),
    builder as CreateTableBuilder<string>,
  );

const createService = async (db: Kysely<Tables>, kind: DatabaseKind): Promise<void> => {
  const table = (name: keyof Tables) => db.schema.createTable(name);
  /** A table with a number of its own that never comes back after a delete. */
  const numbered = (name: keyof Tables) =>
    table(name).addColumn('id', 'integer', (column) =>
      kind === 'postgres'
        ? column.primaryKey().generatedByDefaultAsIdentity()
        : column.primaryKey().autoIncrement(),
    );
  const index = (name: string, on: keyof Tables, columns: string[]) =>
    db.schema.createIndex(name).on(on).columns(columns).execute();
  const unique = (name: string, on: keyof Tables, columns: string[]) =>
    db.schema.createIndex(name).on(on).columns(columns).unique().execute();

  await text(
    table('meta').addColumn('key', 'text', (column) => column.primaryKey()),
    'value',
  ).execute();

  await number(
    text(
      table('tenants').addColumn('id', 'integer', (column) => column.primaryKey()),
      'tenancy_name',
      'display_name',
      'passphrase_digest',
      'seal_key',
      'frame_ancestors',
      'profile',
      'dataset',
    ),
    'audit_seq',
    'is_template',
    'created_at',
  ).execute();
  await unique('tenants_by_name', 'tenants', ['tenancy_name']);

  await optional(
    number(text(numbered('api_keys'), 'name', 'digest', 'permissions'), 'tenant_id', 'created_at'),
    'bigint',
    'user_id',
    'revoked_at',
  ).execute();
  await unique('api_keys_by_digest', 'api_keys', ['digest']);

  await optional(
    optional(
      number(
        text(numbered('users'), 'type', 'email', 'email_key', 'first_name', 'last_name'),
        'tenant_id',
        'is_active',
        'created_at',
        'updated_at',
      ),
      'bigint',
      'last_login_at',
    ),
    'text',
    'directory_person_id',
  ).execute();
  await unique('users_by_email', 'users', ['tenant_id', 'email_key']);
  await index('users_in_order', 'users', ['tenant_id', 'id']);

  await optional(
    number(
      text(numbered('roles'), 'name', 'name_key', 'type', 'description'),
      'tenant_id',
      'is_system',
      'created_at',
    ),
    'text',
    'code',
    'rule',
  ).execute();
  await unique('roles_by_name', 'roles', ['tenant_id', 'name_key']);
  await unique('roles_by_code', 'roles', ['tenant_id', 'code']);

  await number(table('user_roles'), 'tenant_id', 'user_id', 'role_id').execute();
  await unique('user_roles_once', 'user_roles', ['user_id', 'role_id']);

  await optional(
    optional(
      number(text(numbered('organization_units'), 'name'), 'tenant_id', 'created_at'),
      'bigint',
      'parent_id',
    ),
    'text',
    'directory_group_id',
  ).execute();
  await index('organization_units_of_tenant', 'organization_units', ['tenant_id']);

  await text(
    number(table('memberships'), 'tenant_id', 'user_id', 'organization_unit_id'),
    'source',
  ).execute();
  await unique('memberships_once', 'memberships', ['user_id', 'organization_unit_id']);
  await index('memberships_of_unit', 'memberships', ['organization_unit_id']);

  await text(number(table('directory_groups'), 'tenant_id'), 'id', 'name').execute();
  await unique('directory_groups_once', 'directory_groups', ['tenant_id', 'id']);
  await text(
    number(table('directory_people'), 'tenant_id'),
    'id',
    'email',
    'first_name',
    'last_name',
    'type',
  ).execute();
  await unique('directory_people_once', 'directory_people', ['tenant_id', 'id']);
  await text(number(table('directory_members'), 'tenant_id'), 'group_id', 'person_id').execute();
  await unique('directory_members_once', 'directory_members', ['tenant_id', 'group_id', 'person_id']);

  await text(
    number(table('items'), 'tenant_id', 'id', 'has_rls', 'created_at'),
    'guid',
    'type',
    'workspace_id',
    'report_id',
    'display_name',
    'roles',
    'additional_data',
    'report',
    'dataset',
  ).execute();
  await unique('items_by_number', 'items', ['tenant_id', 'id']);
  await unique('items_by_guid', 'items', ['guid']);

  await optional(
    optional(
      number(
        text(numbered('tasks'), 'name', 'description', 'kind', 'visual_names'),
        'tenant_id',
        'is_enabled',
        'created_at',
      ),
      'text',
      'webhook_url',
      'secret',
      'query',
    ),
    'bigint',
    'item_id',
  ).execute();
  await index('tasks_of_tenant', 'tasks', ['tenant_id']);

  await optional(
    optional(
      number(text(numbered('links'), 'kind', 'name'), 'tenant_id', 'item_id', 'created_at'),
      'bigint',
      'expires_at',
      'revoked_at',
    ),
    'text',
    'user_id',
  ).execute();
  await index('links_of_tenant', 'links', ['tenant_id', 'expires_at']);

  await number(text(numbered('viewers'), 'user_id'), 'tenant_id').execute();
  await unique('viewers_once', 'viewers', ['tenant_id', 'user_id']);

  await optional(
    optional(
      number(
        text(
          numbered('audit_logs'),
          'action_type',
          'resource_type',
          'resource_id',
          'description',
          'result',
          'details',
        ),
        'tenant_id',
        'seq',
        'at',
      ),
      'text',
      'user_email',
      'ip_address',
    ),
    'bigint',
    'user_id',
  ).execute();
  await unique('audit_logs_in_order', 'audit_logs', ['tenant_id', 'seq']);
  await index('audit_logs_by_type', 'audit_logs', ['tenant_id', 'action_type', 'seq']);
  await index('audit_logs_by_user', 'audit_logs', ['tenant_id', 'user_id', 'seq']);
  await index('audit_logs_by_time', 'audit_logs', ['tenant_id', 'at']);

  await number(
    text(
      table('sales_rows').addColumn('id', 'integer', (column) => column.notNull()),
      'dataset',
      'month',
      'region',
      'product',
      'channel',
      'owner',
    ),
    'units',
    'revenue_cents',
    'cost_cents',
  ).execute();
  await unique('sales_rows_of_dataset', 'sales_rows', ['dataset', 'id']);
  await number(
    text(
      table('operation_rows').addColumn('id', 'integer', (column) => column.notNull()),
      'dataset',
      'day',
      'site',
      'line',
    ),
    'produced',
    'defects',
    'downtime_minutes',
  ).execute();
  await unique('operation_rows_of_dataset', 'operation_rows', ['dataset', 'id']);
  await number(
    text(
      table('order_rows').addColumn('id', 'integer', (column) => column.notNull()),
      'dataset',
      'order_number',
      'ordered_on',
      'customer',
      'region',
      'product',
      'owner',
      'status',
    ),
    'quantity',
    'amount_cents',
  ).execute();
  await unique('order_rows_of_dataset', 'order_rows', ['dataset', 'id']);

  await optional(
    optional(
      number(
        text(numbered('request_log'), 'kind', 'method', 'path', 'query', 'request_headers', 'request_id'),
        'at',
        'status',
        'duration_ms',
      ),
      'text',
      'tenancy_name',
      'request_body',
      'response_body',
      'ip_address',
      'fault',
    ),
    'bigint',
    'tenant_id',
  ).execute();

  await optional(
    optional(
      number(
        text(numbered('delivery_log'), 'url', 'visual', 'body', 'outcome'),
        'tenant_id',
        'task_id',
        'at',
        'duration_ms',
      ),
      'text',
      'error',
    ),
    'bigint',
    'status',
    'replay_of',
  ).execute();
};
