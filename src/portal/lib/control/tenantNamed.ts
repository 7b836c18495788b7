import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables/tables.ts';
import { notFound } from '../http/portalFailure.ts';
import type { Tenant } from '../services.ts';
import { findTenantByName } from '../tenants/findTenant.ts';

/** Path of one tenant's control routes. */
export const tenantPath = '/_control/tenants/{tenancyName}';

/** The tenant of this subdomain, or 404. */
export const tenantNamed = async (db: Kysely<Tables>, tenancyName: string | undefined): Promise<Tenant> => {
  const tenant = await findTenantByName(db, tenancyName ?? '');
  if (tenant === undefined) throw notFound(`The tenant "${(tenancyName ?? '').slice(0, 63)}"`, 'tenancyName');
  return tenant;
};
