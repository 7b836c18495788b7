import { createHash } from 'node:crypto';
import {
  createRedactor,
  type PortalConnection,
  type PortalConnectionInput,
  parsePortalConnection,
} from '@vitrine/portal-client';
import { LRUCache } from 'lru-cache';
import {
  createTenantUpstream,
  type TenantUpstream,
  type TenantUpstreamOptions,
} from './createTenantUpstream.ts';

const redactForeign = createRedactor([]);

interface Entry {
  readonly name: string;
  readonly fingerprint: string;
  readonly upstream: TenantUpstream;
}

/** The tenants of a mount, each created on its first use. */
export interface TenantUpstreams {
  /** The upstream of a connection. Throws a `PortalError` of kind `config` if the connection is not valid. */
  readonly of: (input: PortalConnectionInput) => TenantUpstream;
  readonly list: () => readonly TenantUpstream[];
  /** Masks the secrets of all tenants in third-party text, for a log line of an unknown tenant. */
  readonly redact: (text: string) => string;
  /** Resolves after in-flight calls finish. Final; a second call waits like the first. */
  readonly close: () => Promise<void>;
}

const nameOf = ({ tenantUrl, apiBaseUrl, tenantId, tenancyName }: PortalConnection): string =>
  JSON.stringify([tenantUrl, apiBaseUrl, tenantId, tenancyName]);

/** A digest of the secrets, to tell two connections of one tenant apart. */
const fingerprintOf = ({ apiKeys, passPhrases, tenantIdHeader }: PortalConnection): string =>
  createHash('sha256')
    .update(JSON.stringify([apiKeys, passPhrases].map((secrets) => secrets.map((one) => one.reveal()))))
    .update(tenantIdHeader)
    .digest('base64');

/**
 * Creates {@link TenantUpstreams}. The same tenant with new secrets replaces the old one, whose in-flight calls finish.
 * Connections are compared by object identity first: pass a new object for new secrets, and the same one otherwise.
 * Beyond `maxTenants`, the least recently used tenant is removed. `onOpen` is called for each new tenant.
 */
export const createTenantUpstreams = (
  options: TenantUpstreamOptions & { readonly maxTenants: number },
  onOpen: (upstream: TenantUpstream) => void = () => undefined,
): TenantUpstreams => {
  const byObject = new WeakMap<PortalConnectionInput, Entry>();
  const closing = new Set<Promise<void>>();
  const retire = ({ upstream }: Entry) => {
    const closed = upstream.close().catch(() => undefined);
    closing.add(closed);
    void closed.then(() => closing.delete(closed));
  };
  const byName = new LRUCache<string, Entry>({ max: options.maxTenants, dispose: retire });

  const find = (input: PortalConnectionInput): Entry => {
    const connection = parsePortalConnection(input);
    const name = nameOf(connection);
    const fingerprint = fingerprintOf(connection);
    const known = byName.get(name);
    if (known?.fingerprint === fingerprint) return known;
    const entry = { name, fingerprint, upstream: createTenantUpstream(connection, options) };
    byName.set(name, entry);
    onOpen(entry.upstream);
    return entry;
  };

  const list = () => [...byName.values()].map(({ upstream }) => upstream);

  return {
    of: (input) => {
      const known = typeof input === 'object' && input !== null ? byObject.get(input) : undefined;
      // The lookup also marks the tenant as recently used.
      if (known !== undefined && byName.get(known.name) === known) return known.upstream;
      const entry = find(input);
      byObject.set(input, entry);
      return entry.upstream;
    },
    list,
    redact: (text) => list().reduce((masked, { redact }) => redact(masked), redactForeign(text)),
    close: async () => {
      byName.clear();
      await Promise.all(closing);
    },
  };
};
