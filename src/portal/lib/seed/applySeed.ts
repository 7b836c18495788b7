import { randomBytes } from 'node:crypto';
import { emailKey, rootOrganizationUnitId } from '@vitrine/contract/service';
import type { Kysely } from 'kysely';
import { newApiKey, newColumns, newRole, newTask, newUser } from '../database/rows.ts';
import type { Tables } from '../database/schema.ts';
import { lockTenantCounter } from '../database/state.ts';
import { insertAll, insertRow, rowsOf } from '../database/tenantRows.ts';
import { nameKey } from '../nameKey.ts';
import { allPermissions } from '../permissions.ts';
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
  /** Time of the rows, in milliseconds. */
  readonly atMs: number;
}

/** Writes the seed into a database without tenants, only once even if several portals start on it at once; returns whether it did. */
export const seedWhenEmpty = (context: SeedContext, seed: ParsedSeed): Promise<boolean> =>
  context.db.transaction().execute(async (db) => {
    await lockTenantCounter(db);
    const known = await db.selectFrom('tenants').select('id').limit(1).executeTakeFirst();
    if (known === undefined) await applySeed({ ...context, db }, seed);
    return known === undefined;
  });

/** Writes a whole seed into an empty database. */
export const applySeed = async (context: SeedContext, seed: ParsedSeed): Promise<void> => {
  for (const tenant of seed.tenants) await applyTenant(context, tenant, tenant.tenancyName);
};

/** Writes one tenant; its reports use the sample data `dataset`. */
export const applyTenant = async (context: SeedContext, seed: SeedTenant, dataset: string): Promise<void> => {
  const { db, atMs } = context;
  const { tenantId, tenancyName } = seed;
  await db
    .insertInto('tenants')
    .values({
      id: tenantId,
      tenancyName,
      displayName: seed.displayName,
      passphraseDigest: secretDigest(seed.passPhrase ?? developmentPassPhrase(tenancyName)),
      sealKey: randomBytes(32).toString('base64'),
      frameAncestors: seed.frameAncestors,
      auditSeq: 0,
      dataset,
      createdAt: atMs,
    })
    .execute();
  const place = { tenantId, atMs };
  const roles = seed.roles.map((role) => newRole(place, role));
  await insertAll(db, 'roles', roles);
  const spelled = new Map(seed.roles.map((role) => [nameKey(role.name), role.name]));
  const unitIds = await applyUnits(context, seed);
  await applyUsers(context, seed, unitIds);
  await db.insertInto('directories').values({ tenantId, directory: seed.directory }).execute();
  await insertAll(
    db,
    'items',
    seed.items.map((item) => {
      const hasRls = item.hasRls ?? item.additionalData?.some((related) => related.hasRls) ?? false;
      const model = { type: 'semanticModel', id: derivedGuid(`model:${tenancyName}:${item.report}`), hasRls };
      return {
        ...newColumns('item', {
          workspaceId: derivedGuid(`workspace:${tenancyName}`),
          reportId: derivedGuid(`report:${tenancyName}:${item.id}`),
          additionalData: [model],
          ...item,
          roles: [...new Set(item.roles.map((role) => spelled.get(nameKey(role)) ?? role))],
        }),
        tenantId,
        id: item.id,
        guid: item.guid ?? derivedGuid(`item:${tenancyName}:${item.id}`),
        hasRls,
        report: item.report,
        dataset,
        createdAt: atMs,
      };
    }),
  );
  const secretOf = ({ kind, secret = developmentWebhookSecret(tenancyName) }: SeedTenant['tasks'][number]) =>
    kind === 'webhook' ? secret : null;
  const tasks = seed.tasks.map((task) => newTask(place, task, secretOf(task)));
  await insertAll(db, 'tasks', tasks);
  const slideshow = { kind: 'slideshow', userId: null, expiresAt: null, requestedExpiresAt: null };
  const links = seed.slideshows.map((link) => ({
    ...link,
    ...slideshow,
    tenantId,
    revokedAt: null,
    createdAt: atMs,
  }));
  await insertAll(db, 'links', links);
};

/** The number of a row by its name in the seed, which the schema has checked. */
const numberOf = (ids: ReadonlyMap<string, number>, name: string): number => {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`The seed does not declare "${name}".`);
  return id;
};

/** Writes the units, parents first; returns their numbers by the names in the seed. */
const applyUnits = async (
  { db, atMs }: SeedContext,
  { tenantId, organizationUnits }: SeedTenant,
): Promise<ReadonlyMap<string, number>> => {
  const ids = new Map<string, number>();
  for (const { id, name, parentId, directoryGroupId } of organizationUnits) {
    const unit = await insertRow(db, 'organization_units', {
      tenantId,
      createdAt: atMs,
      name,
      parentId: parentId === rootOrganizationUnitId ? null : numberOf(ids, parentId),
      directoryGroupId: directoryGroupId?.toLowerCase() ?? null,
    });
    ids.set(id, unit.id);
  }
  return ids;
};

/** Writes the users with their roles and units, and issues the API keys to the first administrator, if there is one. */
const applyUsers = async (
  { db, atMs }: SeedContext,
  { tenantId, tenancyName, users, apiKeys }: SeedTenant,
  unitIds: ReadonlyMap<string, number>,
): Promise<void> => {
  const place = { tenantId, atMs };
  const newUsers = users.map((user) => newUser(place, user));
  await insertAll(db, 'users', newUsers);
  const roles = await rowsOf({ db, tenantId }, 'roles');
  const roleIds = new Map(roles.map((role) => [role.nameKey, role.id]));
  const rows = await rowsOf({ db, tenantId }, 'users');
  const userIds = new Map(rows.map((row) => [row.emailKey, row.id]));
  const references = users.map((user) => ({
    userId: numberOf(userIds, emailKey(user.email)),
    roleIds: new Set(user.roles.map((name) => numberOf(roleIds, nameKey(name)))),
    unitIds: new Set(user.organizationUnits.map((name) => numberOf(unitIds, name))),
  }));
  const userRoles = references.flatMap((user) =>
    [...user.roleIds].map((roleId) => ({ tenantId, userId: user.userId, roleId })),
  );
  await insertAll(db, 'user_roles', userRoles);
  const memberships = references.flatMap(({ userId, unitIds: ids }) =>
    [...ids].map((organizationUnitId) => ({ tenantId, userId, organizationUnitId, source: 'manual' })),
  );
  await insertAll(db, 'memberships', memberships);
  const systemRoles = roles.filter(({ isSystem }) => isSystem).map(({ id }) => id);
  const owner = references.find((user) => systemRoles.some((id) => user.roleIds.has(id)));
  const development = { name: 'Development', key: developmentApiKey(tenancyName), permissions: undefined };
  await insertAll(
    db,
    'api_keys',
    (apiKeys ?? [development]).map(({ name, key, permissions = allPermissions }) =>
      newApiKey(place, { name, permissions, digest: secretDigest(key), userId: owner?.userId ?? null }),
    ),
  );
};
