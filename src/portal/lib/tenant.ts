import type { Kysely } from 'kysely';
import type { Row, Tables } from './database/schema.ts';
import { notFoundField } from './http/portalFailure.ts';

/** The tenant of a request. */
export type Tenant = Row<'tenants'>;

/** The tenant of this subdomain, if there is one. */
export const findTenant = (db: Kysely<Tables>, tenancyName: string): Promise<Tenant | undefined> =>
  db.selectFrom('tenants').selectAll().where('tenancyName', '=', tenancyName).executeTakeFirst();

/** Every tenant, in the order of their numbers. */
export const listTenants = (db: Kysely<Tables>): Promise<Tenant[]> =>
  db.selectFrom('tenants').selectAll().orderBy('id').execute();

/** The tenant of this subdomain, or 404. */
export const tenantNamed = async (db: Kysely<Tables>, tenancyName: unknown): Promise<Tenant> => {
  const name = String(tenancyName).slice(0, 63);
  const tenant = await findTenant(db, name);
  if (tenant !== undefined) return tenant;
  throw notFoundField('tenancyName', `There is no tenant "${name}".`);
};
