import { createHash } from 'node:crypto';
import { type PortalConnectionInput, parsePortalConnection } from '@vitrine/portal-client';
import { createTenant, type Tenant, type TenantOptions } from './createTenant.ts';

const maxTenants = 1000;

/** The tenants of a mount, each made on its first use. */
export interface Tenants {
  /** The tenant of a connection. Throws a `PortalError` of kind `config` when it cannot be used. */
  readonly of: (input: PortalConnectionInput) => Tenant;
  readonly list: () => readonly Tenant[];
  readonly close: () => Promise<void>;
}

const fingerprint = (input: PortalConnectionInput): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('base64');

const identity = ({ tenantUrl, apiBaseUrl, tenantId, tenancyName }: PortalConnectionInput): string =>
  JSON.stringify([tenantUrl, apiBaseUrl, String(tenantId), tenancyName]);

/**
 * Makes {@link Tenants}. The same tenant with new secrets takes the place of the old one, whose calls end in peace.
 * A connection is recognised by the object first: hand in a new object for new secrets, and the same one otherwise.
 */
export const createTenants = (options: TenantOptions): Tenants => {
  const byObject = new WeakMap<PortalConnectionInput, Tenant>();
  const byIdentity = new Map<string, { readonly print: string; readonly tenant: Tenant }>();
  const retired = new WeakSet<Tenant>();

  const retire = (name: string) => {
    const entry = byIdentity.get(name);
    byIdentity.delete(name);
    if (entry === undefined) return;
    retired.add(entry.tenant);
    // Calls that wait in its queue are still to be sent; after their deadline nobody waits any more.
    setTimeout(() => {
      entry.tenant.close().catch(() => undefined);
    }, options.totalTimeoutMs).unref();
  };

  const find = (input: PortalConnectionInput): Tenant => {
    const connection = parsePortalConnection(input);
    const name = identity(input);
    const print = fingerprint(input);
    const known = byIdentity.get(name);
    if (known?.print === print) return known.tenant;
    retire(name);
    const tenant = createTenant(connection, options);
    byIdentity.set(name, { print, tenant });
    const oldest = byIdentity.size > maxTenants ? byIdentity.keys().next().value : undefined;
    if (oldest !== undefined) retire(oldest);
    return tenant;
  };

  return {
    of: (input) => {
      const known = typeof input === 'object' && input !== null ? byObject.get(input) : undefined;
      if (known !== undefined && !retired.has(known)) return known;
      const tenant = find(input);
      byObject.set(input, tenant);
      return tenant;
    },
    list: () => [...byIdentity.values()].map(({ tenant }) => tenant),
    close: async () => {
      const open = [...byIdentity.values()];
      byIdentity.clear();
      await Promise.all(open.map(({ tenant }) => tenant.close()));
    },
  };
};
