import { createEncryptedKeyPath } from '@vitrine/contract';
import type { Dispatcher } from 'undici';
import { bodyNames } from '../dialect/refusal.ts';
import { refusedPart } from '../dialect/refusedPart.ts';
import { type CallWords, callError } from '../errors/callError.ts';
import type { CallStats, SecretPair } from '../errors/callStats.ts';
import { checkOptions, type OptionNames } from '../errors/checkOptions.ts';
import { isPortalError, type PortalError } from '../errors/portalError.ts';
import { CallScope } from '../http/callScope.ts';
import { monotonicClock } from '../http/clock.ts';
import { createDispatcher, type TlsOptions } from '../http/createDispatcher.ts';
import { createRedactor } from '../http/createRedactor.ts';
import type { HttpAnswer } from '../http/httpCall.ts';
import { emptyStats, sendOnce } from '../http/sendOnce.ts';
import { endedError } from '../http/transportError.ts';
import { checkMintRequest } from './checkMintRequest.ts';
import { createIsoTime } from './createIsoTime.ts';
import { mintHint } from './mintHint.ts';
import type { MintRequest } from './mintRequest.ts';
import { createMintWire } from './mintWire.ts';
import type { PortalConnection } from './portalConnection.ts';
import { readKey } from './readKey.ts';
import { createRetryBudget } from './retryBudget.ts';
import { createSecretRing } from './secretRing.ts';

/** Options of {@link createKeyMinter}. */
export interface KeyMinterOptions {
  /**
   * Connections kept to the portal at most. They bound the throughput: connections / seconds per mint.
   * 64 connections at 50 ms a mint make 1,280 keys a second. Default 64.
   */
  readonly connections?: number | undefined;
  /** Milliseconds one attempt may take. Default 5,000. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Milliseconds to establish a connection. Default 3,000. */
  readonly connectTimeoutMs?: number | undefined;
  /** Bytes of an answer's body. Default 65,536. */
  readonly maxResponseBytes?: number | undefined;
  /** Whether a call that failed on the way may be tried once more, under a budget of about 8 %. Default true. */
  readonly retry?: boolean | undefined;
  /** Authorities to trust, and a client certificate. Not together with `dispatcher`. Default: what Node trusts. */
  readonly tls?: TlsOptions | undefined;
  /** The same as `tls.ca`. */
  readonly ca?: string | readonly string[] | undefined;
  /**
   * An undici dispatcher of the host's own; `close()` leaves it open. Certificates, connections and proxies are then its
   * business, and NODE_TLS_REJECT_UNAUTHORIZED=0 beside it is an error. Default: one that goes through the proxy of HTTPS_PROXY, HTTP_PROXY and NO_PROXY, where they are set.
   */
  readonly dispatcher?: Dispatcher | undefined;
  /** Where the proxy variables are read. Default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** A number from 0 up to 1, for the pause before a retry. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

const optionNames: OptionNames<KeyMinterOptions> = {
  connections: true,
  attemptTimeoutMs: true,
  connectTimeoutMs: true,
  maxResponseBytes: true,
  retry: true,
  tls: true,
  ca: true,
  dispatcher: true,
  env: true,
  now: true,
  random: true,
};

/** A new key. */
export interface MintedKey {
  /** The encrypted key. A secret. Visible ASCII without quotes and backslashes, so it needs no escape in JSON. */
  readonly key: string;
  /** Its end by our clock, in milliseconds since the epoch. */
  readonly expiresAtMs: number;
  /** The same end as it was sent, ISO 8601 in UTC. */
  readonly expiresAt: string;
  /** How many requests it took. */
  readonly attempts: number;
  /** Which of the configured secrets the portal accepted: 0 is the newest. Above 0 the portal has refused the newer ones. */
  readonly secrets: SecretPair;
  /** Facts of the request that was answered: latency, the portal's clock and more. */
  readonly stats: CallStats;
}

/** Creates encrypted keys at one tenant over kept-alive connections. */
export interface KeyMinter {
  /** Origin of the proxy on the way, without credentials; undefined without one, or with a dispatcher of the host's own. */
  readonly proxy: string | undefined;
  /** Rejects with a `PortalError`. */
  mint(request: MintRequest): Promise<MintedKey>;
  /** Ends after the calls in flight. */
  close(): Promise<void>;
}

/** The secret that a refusal is about, where several are configured. */
const refusedSecret = (error: PortalError): keyof SecretPair | undefined => {
  if (refusedPart(error) === 'passphrase') return 'passPhrase';
  if (error.kind === 'unauthorized') return 'apiKey';
  return error.kind === 'business' ? 'passPhrase' : undefined;
};

/** A second attempt helps where the connection broke, not where the service has decided and not where time ran out. */
const isWorthRetrying = ({ kind, status, retryAfterMs }: PortalError): boolean =>
  (kind === 'network' || (kind === 'server' && status !== undefined && status <= 504 && status !== 501)) &&
  retryAfterMs === undefined;

/**
 * Creates a {@link KeyMinter}. The connection must come from `parsePortalConnection`.
 * Throws a `PortalError` of kind `config` for an option that does not exist or cannot be used.
 *
 * @example
 * ```ts
 * import { createKeyMinter, parsePortalConnection } from '@vitrine/portal-client';
 *
 * const connection = parsePortalConnection({
 *   tenantUrl: 'https://acme.portal.example',
 *   apiBaseUrl: 'https://portal.example',
 *   tenantId: 101,
 *   tenancyName: 'acme',
 *   apiKey: process.env.VITRINE_API_KEY ?? '',
 *   passPhrase: process.env.VITRINE_PASSPHRASE ?? '',
 * });
 * const minter = createKeyMinter(connection);
 * const { key } = await minter.mint({ itemId: 1042, userId: 'jane', lifetimeMs: 600_000 });
 * ```
 */
export const createKeyMinter = (connection: PortalConnection, options: KeyMinterOptions = {}): KeyMinter => {
  checkOptions('createKeyMinter', options, optionNames);
  const { attemptTimeoutMs = 5000, maxResponseBytes = 65_536, retry = true } = options;
  const { now = Date.now, random = Math.random, ca, tls } = options;
  const { origin, pathname } = new URL(connection.apiBaseUrl);
  const upstream = createDispatcher(connection.apiBaseUrl, {
    connections: options.connections ?? 64,
    connectTimeoutMs: options.connectTimeoutMs ?? 3000,
    dispatcher: options.dispatcher,
    tls: ca === undefined ? tls : { ...tls, ca: [tls?.ca ?? [], ca].flat() },
    env: options.env ?? process.env,
  });
  const words: CallWords = {
    purpose: 'to create a key',
    hintOf: (failure) => mintHint(failure, connection),
  };
  const described = { method: 'POST', path: createEncryptedKeyPath } as const;
  const pathPrefix = pathname.replace(/\/+$/, '');
  const call = {
    ...described,
    target: { ...upstream, origin, pathPrefix, maxResponseBytes, nowMs: now },
    redact: createRedactor([...connection.apiKeys, ...connection.passPhrases]),
    words,
    isEnveloped: true,
  };
  const wire = createMintWire(connection);
  const ring = createSecretRing(connection);
  const budget = createRetryBudget();
  const isoOf = createIsoTime();

  const mint = async (request: MintRequest): Promise<MintedKey> => {
    checkMintRequest(request);
    const { userId, itemId, roleNames, signal, requestId, timeoutMs = Number.POSITIVE_INFINITY } = request;
    const expiresAtMs = now() + request.lifetimeMs;
    const expiresAt = isoOf(expiresAtMs);
    const value = {
      userId,
      reportId: itemId,
      roleNames: roleNames === undefined || roleNames.length === 0 ? undefined : roleNames,
      expiration: expiresAt,
    };
    const endMs = performance.now() + timeoutMs;
    const openScope = (limitMs: number) =>
      new CallScope({
        clock: monotonicClock,
        timeoutMs: Math.max(0, Math.min(limitMs, endMs - performance.now())),
        parent: signal,
      });
    const pause = async (delayMs: number, attempts: number) => {
      const scope = openScope(Number.POSITIVE_INFINITY);
      try {
        await scope.pause(delayMs);
      } catch {
        throw endedError(scope, { words, stats: emptyStats(described, attempts) });
      } finally {
        scope.close();
      }
    };
    const tried = { apiKey: 1, passPhrase: 1 };
    let secrets = ring.current();
    let mayRetry = retry;
    budget.earn();
    for (let attempts = 1; ; attempts += 1) {
      const scope = openScope(attemptTimeoutMs);
      try {
        const headers = wire.headers(secrets);
        const answer = await sendOnce({
          ...call,
          headers: requestId === undefined ? headers : [...headers, 'X-Request-Id', requestId],
          body: wire.body(secrets, value),
          scope,
          attempt: scope,
          attempts,
          secrets,
        });
        const key = keyOf(answer, words);
        ring.accept(secrets);
        return { key, expiresAtMs, expiresAt, attempts, secrets, stats: answer.stats };
      } catch (error) {
        if (!isPortalError(error)) throw error;
        const refused = refusedSecret(error);
        const next = refused && ring.next(secrets, refused, tried[refused]);
        if (refused !== undefined && next !== undefined) {
          secrets = next;
          tried[refused] += 1;
          continue;
        }
        const delayMs = 50 + random() * 150;
        // A pause that outlives the deadline helps nobody: say now what went wrong.
        const isLate = performance.now() + delayMs >= endMs;
        if (!mayRetry || !isWorthRetrying(error) || isLate || !budget.spend()) throw error;
        mayRetry = false;
        await pause(delayMs, attempts);
      } finally {
        scope.close();
      }
    }
  };

  return { proxy: upstream.proxy, mint, close: upstream.close };
};

/** The key of a success. Throws the error of an answer without one. */
const keyOf = ({ body, stats }: HttpAnswer, words: CallWords): string => {
  const key = readKey(body);
  if (key !== undefined) return key;
  const seen =
    stats.body === 'envelope' ? 'an envelope without a usable key' : bodyNames[stats.body ?? 'empty'];
  throw callError(words, `The portal responded with status ${stats.status} and ${seen}.`, {
    kind: 'invalid_response',
    code: 'no_key',
    stats,
  });
};
