import { rootOrganizationUnitId } from '@vitrine/contract';
import type { Kysely } from 'kysely';
import { allPermissions } from '../auth/permissions.ts';
import { secretDigest } from '../auth/secretDigest.ts';
import type { Tables } from '../database/tables/tables.ts';
import { derivedGuid } from './derivedGuid.ts';
import { developmentApiKey, developmentPassPhrase, developmentWebhookSecret } from './developmentSecrets.ts';
import { operationRows, orderRows, salesRows } from './reportRows.ts';
import type { ParsedSeed, SeedTenant } from './seedSchema.ts';

/** What writing a seed needs. */
export interface SeedContext {
  readonly db: Kysely<Tables>;
  readonly nowMs: number;
  readonly randomBytes: (size: number) => Buffer;
}

/** Writes a whole seed into an empty database, in one transaction. */
export const applySeed = async (context: SeedContext, seed: ParsedSeed): Promise<void> =>
  context.db.transaction().execute(async (db) => {
    for (const tenant of seed.tenants) {
      await applyTenant({ ...context, db }, tenant, tenant.tenancyName);
      await applyRows(db, tenant.tenancyName);
    }
  });

/** Inserts rows in portions: SQLite and Postgres both limit the parameters of one statement. */
export const insertAll = async (
  db: Kysely<Tables>,
  table: keyof Tables,
  rows: readonly object[],
): Promise<void> => {
  const first = rows[0];
  if (first === undefined) return;
  const portion = Math.max(1, Math.floor(30_000 / Object.keys(first).length));
  for (let start = 0; start < rows.length; start += portion)
    await db
      .insertInto(table)
      .values(rows.slice(start, start + portion))
      .execute();
};

/** Writes one tenant; its reports draw the rows of `dataset`. */
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
      profile: '{}',
      dataset,
      is_template: 1,
      created_at: nowMs,
    })
    .execute();
  await applyPeople(context, seed);
  await applyApiKeys(context, seed);
  await applyContent(context, seed, dataset);
};

/** Issues the API keys, to the tenant's first administrator where it has one. */
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

const applyPeople = async ({ db, nowMs }: SeedContext, seed: SeedTenant): Promise<void> => {
  const tenant_id = seed.tenantId;
  const created_at = nowMs;
  const roleIds = new Map<string, number>();
  for (const role of seed.roles) {
    const { id } = await db
      .insertInto('roles')
      .values({
        tenant_id,
        created_at,
        name: role.name,
        name_key: role.name.toLowerCase(),
        type: role.type,
        code: role.code ?? null,
        description: role.description,
        is_system: Number(role.isSystem),
        rule: role.rule === undefined ? null : JSON.stringify(role.rule),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    roleIds.set(role.name, id);
  }
  const unitIds = new Map<string, number>();
  for (const unit of seed.organizationUnits) {
    const { id } = await db
      .insertInto('organization_units')
      .values({
        tenant_id,
        created_at,
        name: unit.name,
        parent_id:
          unit.parentId === rootOrganizationUnitId
            ? null
            : known(unitIds, unit.parentId, 'organizational unit'),
        directory_group_id: unit.directoryGroupId ?? null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    unitIds.set(unit.id, id);
  }
  const { people, groups } = seed.directory;
  await insertAll(
    db,
    'directory_people',
    people.map((person) => ({
      tenant_id,
      id: person.id,
      email: person.email,
      first_name: person.firstName,
      last_name: person.lastName,
      type: person.type,
    })),
  );
  await insertAll(
    db,
    'directory_groups',
    groups.map((group) => ({ tenant_id, id: group.id, name: group.name })),
  );
  await insertAll(
    db,
    'directory_members',
    groups.flatMap((group) =>
      group.members.map((person_id) => ({ tenant_id, group_id: group.id, person_id })),
    ),
  );
  for (const user of seed.users) {
    const { id } = await db
      .insertInto('users')
      .values({
        tenant_id,
        type: user.type,
        email: user.email,
        email_key: user.email.toLowerCase(),
        first_name: user.firstName,
        last_name: user.lastName,
        is_active: 1,
        directory_person_id: null,
        created_at,
        updated_at: created_at,
        last_login_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await insertAll(
      db,
      'user_roles',
      user.roles.map((name) => ({ tenant_id, user_id: id, role_id: known(roleIds, name, 'role') })),
    );
    await insertAll(
      db,
      'memberships',
      user.organizationUnits.map((name) => ({
        tenant_id,
        user_id: id,
        organization_unit_id: known(unitIds, name, 'organizational unit'),
        source: 'manual',
      })),
    );
  }
};

const known = (ids: ReadonlyMap<string, number>, name: string, what: string): number => {
  const id = ids.get(name);
  if (id === undefined)
    throw new Error(`The seed refers to the ${what} "${name}" before or without declaring it.`);
  return id;
};

const applyContent = async ({ db, nowMs }: SeedContext, seed: SeedTenant, dataset: string): Promise<void> => {
  const tenant_id = seed.tenantId;
  await insertAll(
    db,
    'items',
    seed.items.map((item) => ({
      tenant_id,
      id: item.id,
      guid: item.guid ?? derivedGuid(`item:${seed.tenancyName}:${item.id}`),
      type: item.type,
      workspace_id: item.workspaceId ?? derivedGuid(`workspace:${seed.tenancyName}`),
      report_id: item.reportId ?? derivedGuid(`report:${seed.tenancyName}:${item.id}`),
      display_name: item.displayName,
      roles: JSON.stringify(item.roles),
      additional_data: JSON.stringify([
        {
          type: 'semanticModel',
          id: derivedGuid(`model:${seed.tenancyName}:${item.report}`),
          hasRls: item.hasRls,
        },
      ]),
      has_rls: Number(item.hasRls),
      report: item.report,
      dataset,
      created_at: nowMs,
    })),
  );
  await insertAll(
    db,
    'tasks',
    seed.tasks.map((task) => ({
      tenant_id,
      name: task.name,
      description: task.description,
      kind: task.kind,
      item_id: task.itemId ?? null,
      visual_names: JSON.stringify(task.visualNames),
      webhook_url: task.webhookUrl ?? null,
      secret: task.kind === 'webhook' ? secretOf(task, seed.tenancyName) : null,
      query: task.query ?? null,
      is_enabled: Number(task.enabled),
      created_at: nowMs,
    })),
  );
  await insertAll(
    db,
    'links',
    seed.slideshows.map((link) => ({
      tenant_id,
      kind: 'slideshow',
      name: link.name,
      item_id: link.itemId,
      user_id: null,
      expires_at: null,
      revoked_at: null,
      created_at: nowMs,
    })),
  );
};

/** Writes the rows that reports draw, once for each dataset. */
const applyRows = async (db: Kysely<Tables>, dataset: string): Promise<void> => {
  const known = await db
    .selectFrom('sales_rows')
    .select('id')
    .where('dataset', '=', dataset)
    .limit(1)
    .executeTakeFirst();
  if (known !== undefined) return;
  await insertAll(db, 'sales_rows', salesRows(dataset));
  await insertAll(db, 'operation_rows', operationRows(dataset));
  await insertAll(db, 'order_rows', orderRows(dataset));
};

/** The secret of a webhook task; `null` in the seed means that it has none. */
const secretOf = ({ secret }: SeedTenant['tasks'][number], tenancyName: string): string | null =>
  secret === undefined ? developmentWebhookSecret(tenancyName) : secret;
