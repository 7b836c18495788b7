import { createHash } from 'node:crypto';
import {
  createRedactor,
  type PortalConnection,
  type PortalConnectionInput,
  parsePortalConnection,
} from '@vitrine/portal-client';
import { createAwaitedCheck } from './hostCalls.ts';
import { createPortalCalls, type PortalCallOptions, type PortalCalls } from './portalCalls.ts';

/** The tenants of a mount, each opened on its first use. */
export interface Tenants {
  /**
   * Opens the tenant of a connection, of which it keeps a copy. Throws a `PortalError` of kind `config` if the connection
   * is not valid, and if an object that came as a promise has stood for another tenant: a request that overlaps may change
   * it again before it is read here.
   */
  readonly open: (input: PortalConnectionInput, wasAwaited?: boolean) => PortalCalls;
  readonly list: () => readonly PortalCalls[];
  /** Masks the secrets of all tenants in third-party text, for a log line of an unknown tenant. */
  readonly redact: (text: string) => string;
  /** Resolves after in-flight calls finish. Final; a second call waits like the first. */
  readonly close: () => Promise<void>;
}

const nameOf = ({ tenantUrl, apiBaseUrl, tenantId, tenancyName }: PortalConnection): string =>
  JSON.stringify([tenantUrl, apiBaseUrl, tenantId, tenancyName]);

/** A digest of the rest of a connection, which tells new secrets of one tenant from the old ones. */
const fingerprintOf = ({ apiKey, passPhrase, tenantIdHeader, baseUrl }: PortalConnection): string =>
  createHash('sha256')
    .update(JSON.stringify([apiKey, passPhrase].map((secrets) => secrets.map((one) => one.reveal()))))
    .update(JSON.stringify([tenantIdHeader, baseUrl]))
    .digest('base64');

const redactForeign = createRedactor([]);

/**
 * Creates {@link Tenants}. Connections are compared by their content, because a host may return a new object for each
 * request, or change one. The same tenant with new secrets replaces the old one, whose in-flight calls finish.
 */
export const createTenants = (options: PortalCallOptions, onOpen: (calls: PortalCalls) => void): Tenants => {
  const byName = new Map<string, { readonly fingerprint: string; readonly calls: PortalCalls }>();
  const closing = new Set<Promise<void>>();
  const retire = (calls: PortalCalls) => {
    const closed = calls.close().catch(() => undefined);
    closing.add(closed);
    void closed.then(() => closing.delete(closed));
  };
  const checkAwaited = createAwaitedCheck(
    'The object that it returned has stood for another tenant. Return a new object for each tenant, such as { ...connection, ...tenant }.',
  );
  const list = () => [...byName.values()].map(({ calls }) => calls);

  return {
    open: (input, wasAwaited = false) => {
      const connection = parsePortalConnection(input);
      const [name, fingerprint] = [nameOf(connection), fingerprintOf(connection)];
      checkAwaited(input, name, wasAwaited);
      const known = byName.get(name);
      if (known?.fingerprint === fingerprint) return known.calls;
      const calls = createPortalCalls(connection, options);
      byName.set(name, { fingerprint, calls });
      if (known !== undefined) retire(known.calls);
      onOpen(calls);
      return calls;
    },
    list,
    redact: (text) => list().reduce((masked, { redact }) => redact(masked), redactForeign(text)),
    close: async () => {
      for (const calls of list()) retire(calls);
      byName.clear();
      await Promise.all(closing);
    },
  };
};
