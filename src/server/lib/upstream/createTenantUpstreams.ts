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
  /** The upstream of a connection. Throws a `PortalError` of kind `config` when the connection cannot be used. */
  readonly of: (input: PortalConnectionInput) => TenantUpstream;
  readonly list: () => readonly TenantUpstream[];
  /** Makes a foreign text fit for the log where its tenant is not known: the secrets of all of them are masked. */
  readonly redact: (text: string) => string;
  /** Ends after the calls in flight. It is final, and the second call waits like the first. */
  readonly close: () => Promise<void>;
}

const nameOf = ({ tenantUrl, apiBaseUrl, tenantId, tenancyName }: PortalConnection): string =>
  JSON.stringify([tenantUrl, apiBaseUrl, tenantId, tenancyName]);

/** A digest of the secrets, so that two connections of one tenant can be told apart. */
const fingerprintOf = ({ apiKeys, passPhrases, tenantIdHeader }: PortalConnection): string =>
  createHash('sha256')
    .update(JSON.stringify([apiKeys, passPhrases].map((secrets) => secrets.map((one) => one.reveal()))))
    .update(tenantIdHeader)
    .digest('base64');

/**
 * Creates {@link TenantUpstreams}. The same tenant with new secrets replaces the old one, whose calls in flight finish.
 * A connection is recognised by the object first: hand in a new object for new secrets, and the same one otherwise.
 * Beyond `maxTenants`, the least recently used one leaves. `onOpen` hears of each that is created.
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
      // The look-up is also what keeps a tenant that is in use from leaving.
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
