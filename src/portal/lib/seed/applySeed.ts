import { emailKey, rootOrganizationUnitId } from '@vitrine/contract/service';
import type { Kysely } from 'kysely';
import { taskRow } from '../actions/taskRow.ts';
import { allPermissions } from '../auth/permissions.ts';
import { insertAll } from '../database/insertAll.ts';
import type { Tables } from '../database/schema.ts';
import { lockTenantCounter } from '../database/state.ts';
import { nameKey } from '../nameKey.ts';
import { secretDigest } from '../secretDigest.ts';
import {
  derivedGuid,
  developmentApiKey,
  developmentPassPhrase,
  developmentWebhookSecret,
} from './derived.ts';
import type { ParsedSeed, SeedTenant } from './seedSchema.ts';

/** Context of writing a seed. */
export interface SeedContext {
  /** The transaction of the whole seed. */
  readonly db: Kysely<Tables>;
  readonly nowMs: number;
  readonly randomBytes: (size: number) => Buffer;
}

/** Writes the seed into a database without tenants, only once even if several portals start on it at once. */
export const seedWhenEmpty = (context: SeedContext, seed: ParsedSeed): Promise<void> =>
  context.db.transaction().execute(async (db) => {
    await lockTenantCounter(db);
    const known = await db.selectFrom('tenants').select('id').limit(1).executeTakeFirst();
    if (known === undefined) await applySeed({ ...context, db }, seed);
  });

/** Writes a whole seed into an empty database. */
export const applySeed = async (context: SeedContext, seed: ParsedSeed): Promise<void> => {
  for (const tenant of seed.tenants) await applyTenant(context, tenant, tenant.tenancyName);
};

/** Writes one tenant; its reports use the sample data `dataset`. */
export const applyTenant = async (context: SeedContext, seed: SeedTenant, dataset: string): Promise<void> => {
  const { db, nowMs } = context;
  await db
    .insertInto('tenants')
    .values({
      id: seed.tenantId,
      tenancy_name: seed.tenancyName,
      display_name: seed.displayName,
      passphrase_digest: secretDigest(seed.passPhrase ?? developmentPassPhrase(seed.tenancyName)),
      seal_key: context.randomBytes(32).toString('base64'),
      frame_ancestors: seed.frameAncestors,
      audit_seq: 0,
      dataset,
      is_template: 1,
      created_at: nowMs,
    })
    .execute();
  await applyPeople(context, seed);
  await applyDirectory(context, seed);
  await applyApiKeys(context, seed);
  await applyContent(context, seed, dataset);
};

/** The number of a row by its name in the seed, which the schema has checked. */
const numberOf = (ids: ReadonlyMap<string, number>, name: string): number => {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`The seed does not declare "${name}".`);
  return id;
};

/** Writes a tenant's roles, units and users. */
const applyPeople = async ({ db, nowMs }: SeedContext, seed: SeedTenant): Promise<void> => {
  const tenant_id = seed.tenantId;
  await insertAll(
    db,
    'roles',
    seed.roles.map((role) => ({
      tenant_id,
      created_at: nowMs,
      name: role.name,
      name_key: nameKey(role.name),
      type: role.type,
      code: role.code ?? null,
      description: role.description,
      is_system: Number(role.isSystem),
      rule: role.rule === undefined ? null : JSON.stringify(role.rule),
    })),
  );
  const roles = await db
    .selectFrom('roles')
    .select(['id', 'name_key'])
    .where('tenant_id', '=', tenant_id)
    .execute();
  const roleIds = new Map(roles.map((role) => [role.name_key, role.id]));
  const unitIds = new Map<string, number>();
  for (const { id, name, parentId, directoryGroupId } of seed.organizationUnits) {
    const unit = await db
      .insertInto('organization_units')
      .values({
        tenant_id,
        created_at: nowMs,
        name,
        parent_id: parentId === rootOrganizationUnitId ? null : numberOf(unitIds, parentId),
        directory_group_id: directoryGroupId?.toLowerCase() ?? null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    unitIds.set(id, unit.id);
  }
  await insertAll(
    db,
    'users',
    seed.users.map((user) => ({
      tenant_id,
      type: user.type,
      email: user.email,
      email_key: emailKey(user.email),
      first_name: user.firstName,
      last_name: user.lastName,
      is_active: 1,
      directory_person_id: null,
      created_at: nowMs,
      updated_at: nowMs,
      last_login_at: user.lastLoginAt === undefined ? null : Date.parse(user.lastLoginAt),
    })),
  );
  const rows = await db
    .selectFrom('users')
    .select(['id', 'email_key'])
    .where('tenant_id', '=', tenant_id)
    .execute();
  const userIds = new Map(rows.map((row) => [row.email_key, row.id]));
  const users = seed.users.map((user) => ({ ...user, user_id: numberOf(userIds, emailKey(user.email)) }));
  await insertAll(
    db,
    'user_roles',
    users.flatMap(({ user_id, roles: names }) =>
      [...new Set(names.map((name) => numberOf(roleIds, nameKey(name))))].map((role_id) => ({
        tenant_id,
        user_id,
        role_id,
      })),
    ),
  );
  await insertAll(
    db,
    'memberships',
    users.flatMap(({ user_id, organizationUnits }) =>
      [...new Set(organizationUnits)].map((name) => ({
        tenant_id,
        user_id,
        organization_unit_id: numberOf(unitIds, name),
        source: 'manual',
      })),
    ),
  );
};

/** Writes an identity directory: its people, and its groups with their members. */
export const applyDirectory = async (
  { db }: Pick<SeedContext, 'db'>,
  { tenantId: tenant_id, directory: { people, groups } }: Pick<SeedTenant, 'tenantId' | 'directory'>,
): Promise<void> => {
  await insertAll(
    db,
    'directory_people',
    people.map((person) => ({
      tenant_id,
      id: person.id.toLowerCase(),
      email: person.email,
      first_name: person.firstName,
      last_name: person.lastName,
      type: person.type,
    })),
  );
  await insertAll(
    db,
    'directory_groups',
    groups.map(({ id, name }) => ({ tenant_id, id: id.toLowerCase(), name })),
  );
  await insertAll(
    db,
    'directory_members',
    groups.flatMap(({ id, members }) =>
      [...new Set(members.map((member) => member.toLowerCase()))].map((person_id) => ({
        tenant_id,
        group_id: id.toLowerCase(),
        person_id,
      })),
    ),
  );
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
  const development = {
    name: 'Development',
    key: developmentApiKey(seed.tenancyName),
    permissions: undefined,
  };
  await insertAll(
    db,
    'api_keys',
    (seed.apiKeys ?? [development]).map(({ name, key, permissions = allPermissions }) => ({
      tenant_id,
      name,
      digest: secretDigest(key),
      permissions: JSON.stringify(permissions),
      user_id: owner?.id ?? null,
      revoked_at: null,
      created_at: nowMs,
    })),
  );
};

/** Writes a tenant's items, tasks and slideshows. */
const applyContent = async ({ db, nowMs }: SeedContext, seed: SeedTenant, dataset: string): Promise<void> => {
  const { tenantId: tenant_id, tenancyName } = seed;
  await insertAll(
    db,
    'items',
    seed.items.map((item) => {
      const hasRls = item.hasRls ?? item.additionalData?.some((related) => related.hasRls) ?? false;
      const model = { type: 'semanticModel', id: derivedGuid(`model:${tenancyName}:${item.report}`), hasRls };
      return {
        tenant_id,
        id: item.id,
        guid: item.guid ?? derivedGuid(`item:${tenancyName}:${item.id}`),
        type: item.type,
        workspace_id: item.workspaceId ?? derivedGuid(`workspace:${tenancyName}`),
        report_id: item.reportId ?? derivedGuid(`report:${tenancyName}:${item.id}`),
        display_name: item.displayName,
        roles: JSON.stringify(item.roles),
        additional_data: JSON.stringify(item.additionalData ?? [model]),
        has_rls: Number(hasRls),
        report: item.report,
        dataset,
        created_at: nowMs,
      };
    }),
  );
  await insertAll(
    db,
    'tasks',
    seed.tasks.map((task) => {
      const { kind, secret = developmentWebhookSecret(tenancyName) } = task;
      return taskRow(task, {
        tenantId: tenant_id,
        secret: kind === 'webhook' ? secret : null,
        createdAtMs: nowMs,
      });
    }),
  );
  await insertAll(
    db,
    'links',
    seed.slideshows.map(({ name, itemId }) => ({
      tenant_id,
      kind: 'slideshow',
      name,
      item_id: itemId,
      user_id: null,
      expires_at: null,
      requested_expires_at: null,
      revoked_at: null,
      created_at: nowMs,
    })),
  );
};
