import type { SchemaBuilder } from '../schemaBuilder.ts';

/** The tenants, their API keys, and what the portal notes about itself. */
export const createTenantTables = async ({ table, unique }: SchemaBuilder): Promise<void> => {
  await table('meta', { text: ['key', 'value'] });
  await unique('meta_by_key', 'meta', ['key']);

  await table('tenants', {
    id: 'given',
    text: [
      'tenancy_name',
      'display_name',
      'passphrase_digest',
      'seal_key',
      'frame_ancestors',
      'profile',
      'dataset',
    ],
    number: ['audit_seq', 'is_template', 'created_at'],
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
