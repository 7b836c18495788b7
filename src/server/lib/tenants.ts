import { createHash } from 'node:crypto';
import {
  createPortalClient,
  isPortalError,
  type PortalConnection,
  type PortalConnectionInput,
  parsePortalConnection,
} from '@vitrine/portal-client';
import { callHost, createAwaitedCheck, type MaybePromise } from './hostCalls.ts';
import { checkPortal, fail } from './options.ts';
import { createPortalCalls, type PortalCallOptions, type PortalCalls } from './portalCalls.ts';
import { upstreamNames } from './problems.ts';

/** A digest of a connection without its secrets, and with them. */
const digestsOf = ({ apiKey, passPhrase, ...others }: PortalConnection): readonly [string, string] => {
  const name = JSON.stringify(others);
  const secrets = [apiKey, passPhrase].map((list) => list.map((secret) => secret.reveal()));
  return [name, createHash('sha256').update(name).update(JSON.stringify(secrets)).digest('base64')];
};

/** Runs a step of the start: what the client rejects is an options error. */
const atStart = <TValue>(step: () => TValue): TValue => {
  try {
    return step();
  } catch (error) {
    if (!isPortalError(error)) throw error;
    const code = error.code === 'invalid_proxy' ? error.code : 'invalid_option';
    return fail(error.explain('option', upstreamNames).what, code);
  }
};

/**
 * Creates the tenants of a mount, each opened on its first use. Connections are compared by their content, because a host may return a new object for each
 * request, or change one. With new secrets, a tenant is opened anew. The one before stays open, because requests that
 * overlap may still use it, until there is a third.
 */
export const createTenants = (options: PortalCallOptions) => {
  const checkAwaited = createAwaitedCheck(
    'The object that it returned has stood for another tenant. Return a new object for each tenant, such as { ...connection, ...tenant }.',
  );
  /** By the name of the tenant: the newest first, and the one before. */
  const byName = new Map<string, readonly { readonly digest: string; readonly calls: PortalCalls }[]>();
  const all = (): readonly PortalCalls[] => [...byName.values()].flat().map(({ calls }) => calls);

  /**
   * Opens the tenant of a connection, of which it keeps a copy. Throws a `PortalError` of kind `config` if the connection
   * is not valid, and if an object that came as a promise has stood for another tenant: a request that overlaps may change
   * it again before it is read here.
   */
  const open = (input: PortalConnectionInput, wasAwaited = false): PortalCalls => {
    const connection = parsePortalConnection(input);
    const [name, digest] = digestsOf(connection);
    checkAwaited(input, name, wasAwaited);
    const known = byName.get(name) ?? [];
    const found = known.find((one) => one.digest === digest);
    if (found !== undefined) return found.calls;
    const calls = createPortalCalls(connection, options);
    const [former, ended] = known;
    byName.set(name, [{ digest, calls }, ...(former === undefined ? [] : [former])]);
    ended?.calls.close().catch(() => undefined);
    return calls;
  };

  return {
    open,
    /** Opens the only portal of a mount, for every request; what is invalid is an options error. */
    openFixed: (portal: PortalConnectionInput): (() => PortalCalls) => {
      checkPortal(portal);
      const calls = atStart(() => open(portal));
      return () => calls;
    },
    /** Opens the portal of each request, which a function of the host chooses. What all of them share is checked now. */
    openChosen: <TRequest>(
      choose: (request: TRequest) => MaybePromise<PortalConnectionInput>,
    ): ((request: TRequest) => MaybePromise<PortalCalls>) => {
      // It sends nothing.
      const { dispatcher } = options;
      const unused = { dispatcher, baseUrl: 'http://localhost', apiKey: 'unused' };
      void atStart(() => createPortalClient(unused)).close();
      return (request) => callHost('portal', () => choose(request), open);
    },
    /** The newest of each tenant. */
    list: (): readonly PortalCalls[] => [...byName.values()].flatMap(([newest]) => newest?.calls ?? []),
    /** Resolves after in-flight calls finish. Final. */
    close: async (): Promise<void> => {
      const open = all();
      byName.clear();
      await Promise.all(open.map((calls) => calls.close()));
    },
  };
};
