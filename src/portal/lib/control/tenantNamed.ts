import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables/tables.ts';
import { PortalFailure } from '../http/portalFailure.ts';
import type { Tenant } from '../services.ts';
import { findTenantByName } from '../tenants/findTenant.ts';

/** The tenant of this subdomain, or 404. */
export const tenantNamed = async (db: Kysely<Tables>, tenancyName: string | undefined): Promise<Tenant> => {
  const tenant = await findTenantByName(db, tenancyName ?? '');
  if (tenant === undefined) {
    const message = `There is no tenant "${(tenancyName ?? '').slice(0, 63)}".`;
    throw new PortalFailure(message, {
      status: 404,
      code: 'not_found',
      fields: [{ field: 'tenancyName', message }],
    });
  }
  return tenant;
};
