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
  readonly fingerprint: string;
  readonly upstream: TenantUpstream;
}

/** The tenants of a mount, each created on its first use. */
export interface TenantUpstreams {
  /** The upstream of a connection. Throws a `PortalError` of kind `config` if the connection is not valid. */
  readonly of: (input: PortalConnectionInput) => TenantUpstream;
  /**
   * The same for a connection that came as a promise. Throws if the object has stood for another tenant: a request that
   * overlaps may change it again before it is read here.
   */
  readonly ofAwaited: (input: PortalConnectionInput) => TenantUpstream;
  readonly list: () => readonly TenantUpstream[];
  /** Masks the secrets of all tenants in third-party text, for a log line of an unknown tenant. */
  readonly redact: (text: string) => string;
  /** Resolves after in-flight calls finish. Final; a second call waits like the first. */
  readonly close: () => Promise<void>;
}

const nameOf = ({ tenantUrl, apiBaseUrl, tenantId, tenancyName }: PortalConnection): string =>
  JSON.stringify([tenantUrl, apiBaseUrl, tenantId, tenancyName]);

/** A digest of the secrets, to tell two connections of one tenant apart. */
const fingerprintOf = ({ apiKey, passPhrase, tenantIdHeader }: PortalConnection): string =>
  createHash('sha256')
    .update(JSON.stringify([apiKey, passPhrase].map((secrets) => secrets.map((one) => one.reveal()))))
    .update(tenantIdHeader)
    .digest('base64');

/**
 * Creates {@link TenantUpstreams}. The same tenant with new secrets replaces the old one, whose in-flight calls finish.
 * Connections are compared by their content, because a host may change an object for each request. Beyond `maxTenants`, the least recently used tenant is removed. `onOpen` is called for each new tenant.
 */
export const createTenantUpstreams = (
  options: TenantUpstreamOptions & { readonly maxTenants: number },
  onOpen: (upstream: TenantUpstream) => void = () => undefined,
): TenantUpstreams => {
  const namesOfAwaited = new WeakMap<PortalConnectionInput, string>();
  const closing = new Set<Promise<void>>();
  const retire = ({ upstream }: Entry) => {
    const closed = upstream.close().catch(() => undefined);
    closing.add(closed);
    void closed.then(() => closing.delete(closed));
  };
  const byName = new LRUCache<string, Entry>({ max: options.maxTenants, dispose: retire });

  const of = (input: PortalConnectionInput): TenantUpstream => {
    const connection = parsePortalConnection(input);
    const name = nameOf(connection);
    const fingerprint = fingerprintOf(connection);
    const known = byName.get(name);
    if (known?.fingerprint === fingerprint) return known.upstream;
    const upstream = createTenantUpstream(connection, options);
    byName.set(name, { fingerprint, upstream });
    onOpen(upstream);
    return upstream;
  };

  const list = () => [...byName.values()].map(({ upstream }) => upstream);

  return {
    of,
    ofAwaited: (input) => {
      const upstream = of(input);
      const name = nameOf(upstream.connection);
      const isChanged = (namesOfAwaited.get(input) ?? name) !== name;
      // Once changed, the object names no tenant any more.
      namesOfAwaited.set(input, isChanged ? '' : name);
      if (!isChanged) return upstream;
      throw new Error(
        'The object that it returned has stood for another tenant. Return a new object for each tenant, such as { ...connection, ...tenant }.',
      );
    },
    list,
    redact: (text) => list().reduce((masked, { redact }) => redact(masked), redactForeign(text)),
    close: async () => {
      byName.clear();
      await Promise.all(closing);
    },
  };
};
