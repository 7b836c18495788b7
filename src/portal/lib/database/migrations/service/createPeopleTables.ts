import type { SchemaBuilder } from '../schemaBuilder.ts';

/** Users, roles, organizational units, and the directory that synchronizations read. */
export const createPeopleTables = async ({ table, index, unique }: SchemaBuilder): Promise<void> => {
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
