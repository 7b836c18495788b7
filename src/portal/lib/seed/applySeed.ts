import { allPermissions } from '../auth/permissions.ts';
import { lockTenantCounter } from '../database/state.ts';
import { secretDigest } from '../secretDigest.ts';
import { applyContent } from './applyContent.ts';
import { applyPeople } from './applyPeople.ts';
import { developmentApiKey, developmentPassPhrase } from './developmentSecrets.ts';
import type { SeedContext } from './seedContext.ts';
import type { ParsedSeed, SeedTenant } from './seedSchema.ts';

/** Writes a whole seed into an empty database. */
export const applySeed = async (context: SeedContext, seed: ParsedSeed): Promise<void> => {
  for (const tenant of seed.tenants) await applyTenant(context, tenant, tenant.tenancyName);
};

/** Writes one tenant; its reports use the rows of `dataset`. */
export const applyTenant = async (context: SeedContext, seed: SeedTenant, dataset: string): Promise<void> => {
  const { db, nowMs } = context;
  const tenant_id = seed.tenantId;
  await db
    .insertInto('tenants')
    .values({
      id: tenant_id,
      tenancy_name: seed.tenancyName,
      display_name: seed.displayName,
      passphrase_digest: secretDigest(seed.passPhrase ?? developmentPassPhrase(seed.tenancyName)),
      seal_key: context.randomBytes(32).toString('base64'),
      frame_ancestors: seed.frameAncestors,
      audit_seq: 0,
      audit_in_order: 1,
      user_count: seed.users.length,
      dataset,
      is_template: 1,
      created_at: nowMs,
    })
    .execute();
  await applyPeople(context, seed);
  await applyApiKeys(context, seed);
  await applyContent(context, seed, dataset);
};

/** Issues the API keys, to the tenant's first administrator if it has one. */
const applyApiKeys = async ({ db, nowMs }: SeedContext, seed: SeedTenant): Promise<void> => {
  const tenant_id = seed.tenantId;
  const owner = await db
    .selectFrom('users')
    .innerJoin('user_roles', 'user_roles.user_id', 'users.id')
    .innerJoin('roles', 'roles.id', 'user_roles.role_id')
    .select('users.id')
    .where('users.tenant_id', '=', tenant_id)
    .where('roles.is_system', '=', 1)
    .orderBy('users.id')
    .executeTakeFirst();
  const apiKeys = seed.apiKeys ?? [{ name: 'Development', key: developmentApiKey(seed.tenancyName) }];
  for (const apiKey of apiKeys)
    await db
      .insertInto('api_keys')
      .values({
        tenant_id,
        name: apiKey.name,
        digest: secretDigest(apiKey.key),
        permissions: JSON.stringify(apiKey.permissions ?? allPermissions),
        user_id: owner?.id ?? null,
        revoked_at: null,
        created_at: nowMs,
      })
      .execute();
};

/** Writes the seed into a database without tenants, only once even if several portals start on it at once. */
export const seedWhenEmpty = (context: SeedContext, seed: ParsedSeed): Promise<void> =>
  context.db.transaction().execute(async (db) => {
    await lockTenantCounter(db);
    const known = await db.selectFrom('tenants').select('id').limit(1).executeTakeFirst();
    if (known === undefined) await applySeed({ ...context, db }, seed);
  });
