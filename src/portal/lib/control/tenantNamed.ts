import type { Kysely } from 'kysely';
import type { Tables } from '../database/schema.ts';
import { PortalFailure } from '../http/portalFailure.ts';
import { findTenantByName } from '../tenants/findTenants.ts';
import type { Tenant } from '../tenants/tenant.ts';

/** Finds the tenant of a subdomain, or throws 404. */
export const tenantNamed = async (db: Kysely<Tables>, tenancyName: unknown): Promise<Tenant> => {
  const name = typeof tenancyName === 'string' ? tenancyName : '';
  const tenant = await findTenantByName(db, name);
  if (tenant === undefined) {
    const message = `There is no tenant "${name.slice(0, 63)}".`;
    throw new PortalFailure(message, {
      status: 404,
      code: 'not_found',
      fields: [{ field: 'tenancyName', message }],
    });
  }
  return tenant;
};
