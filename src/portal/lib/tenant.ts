import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Row, Tables } from './database/schema.ts';
import { PortalFailure } from './http/portalFailure.ts';

/** The tenant of a request. */
export interface Tenant {
  readonly id: number;
  readonly tenancyName: string;
  readonly displayName: string;
  readonly passphraseDigest: string;
  readonly sealKey: KeyObject;
  readonly frameAncestors: string;
  /** Dataset of this tenant's items. */
  readonly dataset: string;
}

/** The tenant of a row. */
export const tenantOfRow = (row: Row<'tenants'>): Tenant => ({
  id: row.id,
  tenancyName: row.tenancy_name,
  displayName: row.display_name,
  passphraseDigest: row.passphrase_digest,
  sealKey: createSecretKey(row.seal_key, 'base64'),
  frameAncestors: row.frame_ancestors,
  dataset: row.dataset,
});

/** The tenant with this number. */
export const findTenantById = async (db: Kysely<Tables>, id: number): Promise<Tenant | undefined> => {
  const row = await db.selectFrom('tenants').selectAll().where('id', '=', id).executeTakeFirst();
  return row && tenantOfRow(row);
};

/** The tenant of this subdomain. */
export const findTenantByName = async (db: Kysely<Tables>, name: string): Promise<Tenant | undefined> => {
  const row = await db.selectFrom('tenants').selectAll().where('tenancy_name', '=', name).executeTakeFirst();
  return row && tenantOfRow(row);
};

/** Every tenant, in the order of their numbers. */
export const listTenants = async (db: Kysely<Tables>): Promise<Tenant[]> =>
  (await db.selectFrom('tenants').selectAll().orderBy('id').execute()).map(tenantOfRow);

/** The tenant of this subdomain, or 404. */
export const tenantNamed = async (db: Kysely<Tables>, tenancyName: unknown): Promise<Tenant> => {
  const name = String(tenancyName).slice(0, 63);
  const tenant = await findTenantByName(db, name);
  if (tenant !== undefined) return tenant;
  const message = `There is no tenant "${name}".`;
  throw new PortalFailure(message, {
    status: 404,
    code: 'not_found',
    fields: [{ field: 'tenancyName', message }],
  });
};
