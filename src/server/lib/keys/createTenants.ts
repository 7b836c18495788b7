import { createHash } from 'node:crypto';
import {
  type PortalConnection,
  type PortalConnectionInput,
  parsePortalConnection,
} from '@vitrine/portal-client';
import { createTenant, type Tenant, type TenantOptions } from './createTenant.ts';

const maxTenants = 1000;

/** A tenant and when it was last asked for, counted in questions. */
interface Entry {
  readonly name: string;
  readonly print: string;
  readonly tenant: Tenant;
  usedAt: number;
  isRetired: boolean;
}

/** The tenants of a mount, each made on its first use. */
export interface Tenants {
  /** The tenant of a connection. Throws a `PortalError` of kind `config` when it cannot be used. */
  readonly of: (input: PortalConnectionInput) => Tenant;
  readonly list: () => readonly Tenant[];
  readonly close: () => Promise<void>;
}

/** A digest of the secrets, so that two connections of one tenant can be told apart. */
const fingerprint = ({ apiKeys, passPhrases, tenantIdHeader }: PortalConnection): string =>
  createHash('sha256')
    .update(JSON.stringify([apiKeys, passPhrases].map((secrets) => secrets.map((one) => one.reveal()))))
    .update(tenantIdHeader)
    .digest('base64');

const identity = ({ tenantUrl, apiBaseUrl, tenantId, tenancyName }: PortalConnection): string =>
  JSON.stringify([tenantUrl, apiBaseUrl, tenantId, tenancyName]);

/**
 * Makes {@link Tenants}. The same tenant with new secrets takes the place of the old one, whose calls end in peace.
 * A connection is recognised by the object first: hand in a new object for new secrets, and the same one otherwise.
 * Beyond a thousand, the one that was asked for least recently leaves.
 */
export const createTenants = (options: TenantOptions): Tenants => {
  const byObject = new WeakMap<PortalConnectionInput, Entry>();
  const byIdentity = new Map<string, Entry>();
  let questions = 0;

  const retire = (entry: Entry) => {
    byIdentity.delete(entry.name);
    entry.isRetired = true;
    // Calls that wait in its queue are still to be sent; after their deadline nobody waits any more.
    setTimeout(() => {
      entry.tenant.close().catch(() => undefined);
    }, options.totalTimeoutMs).unref();
  };

  /** A look at all of them costs less than the making of the one that took the place. */
  const leastRecent = (): Entry =>
    [...byIdentity.values()].reduce((one, other) => (other.usedAt < one.usedAt ? other : one));

  const find = (input: PortalConnectionInput): Entry => {
    const connection = parsePortalConnection(input);
    const name = identity(connection);
    const print = fingerprint(connection);
    const known = byIdentity.get(name);
    if (known?.print === print) return known;
    if (known !== undefined) retire(known);
    else if (byIdentity.size >= maxTenants) retire(leastRecent());
    const entry = { name, print, tenant: createTenant(connection, options), usedAt: 0, isRetired: false };
    byIdentity.set(name, entry);
    return entry;
  };

  return {
    of: (input) => {
      const known = typeof input === 'object' && input !== null ? byObject.get(input) : undefined;
      const entry = known === undefined || known.isRetired ? find(input) : known;
      if (entry !== known) byObject.set(input, entry);
      entry.usedAt = questions += 1;
      return entry.tenant;
    },
    list: () => [...byIdentity.values()].map(({ tenant }) => tenant),
    close: async () => {
      const open = [...byIdentity.values()];
      byIdentity.clear();
      await Promise.all(open.map(({ tenant }) => tenant.close()));
    },
  };
};
