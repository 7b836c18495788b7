import { createEncryptedKeyPath } from '@vitrine/contract/service';
import type { Dispatcher } from 'undici';
import { bodyNames } from '../dialect/refusal.ts';
import { type CallWords, callError } from '../errors/callError.ts';
import type { CallStats, SecretPair } from '../errors/callStats.ts';
import { checkOptions, type OptionNames } from '../errors/checkOptions.ts';
import { isPortalError, type PortalError } from '../errors/portalError.ts';
import { CallScope } from '../http/callScope.ts';
import { monotonicClock } from '../http/clock.ts';
import { createDispatcher, type TlsOptions } from '../http/createDispatcher.ts';
import { createRedactor } from '../http/createRedactor.ts';
import type { HttpResponse } from '../http/httpCall.ts';
import { emptyStats, sendOnce } from '../http/sendOnce.ts';
import { endedError } from '../http/transportError.ts';
import { checkMintRequest } from './checkMintRequest.ts';
import { createIsoTime } from './createIsoTime.ts';
import { keyAdvice } from './keyAdvice.ts';
import type { MintRequest } from './mintRequest.ts';
import { createMintWire } from './mintWire.ts';
import type { PortalConnection } from './portalConnection.ts';
import { readKey } from './readKey.ts';
import { createRetryBudget } from './retryBudget.ts';
import { createSecretRing } from './secretRing.ts';

/** Options of {@link createKeyMinter}. */
export interface KeyMinterOptions {
  /**
   * Maximum number of connections to the portal. They limit the throughput: 64 connections at 50 ms per key allow 1,280
   * keys per second. Default 64.
   */
  readonly connections?: number | undefined;
  /** Time limit of one attempt, in milliseconds. Default 5,000. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Time limit for connecting, in milliseconds. Default 3,000. */
  readonly connectTimeoutMs?: number | undefined;
  /** Maximum size of a response body, in bytes. Default 65,536. */
  readonly maxResponseBytes?: number | undefined;
  /** Whether to retry a call once if its connection failed, for at most about 8% of the calls. Default true. */
  readonly retry?: boolean | undefined;
  /** Trusted authorities and a client certificate. Not together with `dispatcher`. Default: Node's certificates. */
  readonly tls?: TlsOptions | undefined;
  /** The same as `tls.ca`. */
  readonly ca?: string | readonly string[] | undefined;
  /**
   * The host's own undici dispatcher, which decides about certificates, connections and proxies; `close()` leaves it
   * open. Together with NODE_TLS_REJECT_UNAUTHORIZED=0 it is an error. Default: one that uses HTTPS_PROXY, HTTP_PROXY
   * and NO_PROXY.
   */
  readonly dispatcher?: Dispatcher | undefined;
  /** Environment with the proxy variables. Default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Random numbers from 0 to 1, for the delay before a retry. Default `Math.random`. */
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
  /** The encrypted key. A secret. Visible ASCII without quotes and backslashes, so JSON needs no escapes. */
  readonly key: string;
  /** Expiry by our clock, in milliseconds since the epoch. */
  readonly expiresAtMs: number;
  /** The expiry as sent, ISO 8601 in UTC. */
  readonly expiresAt: string;
  /** Number of requests sent. */
  readonly attempts: number;
  /**
   * Which of the configured secrets the portal accepted: 0 is the newest. Above 0, the portal refused the newer ones.
   */
  readonly secrets: SecretPair;
  /** Facts of the successful request: latency, the portal's clock and more. */
  readonly stats: CallStats;
}

/** Creates encrypted keys at one tenant over kept-alive connections. */
export interface KeyMinter {
  /** Origin of the proxy, without credentials; undefined without a proxy or with the host's own dispatcher. */
  readonly proxy: string | undefined;
  /** Rejects with a `PortalError`. */
  mint(request: MintRequest): Promise<MintedKey>;
  /** Closes the connections after in-flight calls finish. */
  close(): Promise<void>;
}

/** The secret that a refusal is about, if several are configured. */
const refusedSecret = (error: PortalError): keyof SecretPair | undefined => {
  if (error.part === 'passphrase') return 'passPhrase';
  if (error.kind === 'unauthorized') return 'apiKey';
  return error.kind === 'business' ? 'passPhrase' : undefined;
};

/** Whether a retry can help: after a broken connection, but not after a decision of the service or a timeout. */
const isWorthRetrying = ({ kind, status, retryAfterMs }: PortalError): boolean =>
  (kind === 'network' || (kind === 'server' && status !== undefined && status <= 504 && status !== 501)) &&
  retryAfterMs === undefined;

/**
 * Creates a {@link KeyMinter}. The connection must come from `parsePortalConnection`. Throws a `PortalError` of kind
 * `config` if an option is unknown or not valid.
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
    adviceOf: (failure) => keyAdvice(failure, connection),
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
      roleNames,
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
        await scope.sleep(delayMs);
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
        const response = await sendOnce({
          ...call,
          headers: requestId === undefined ? headers : [...headers, 'X-Request-Id', requestId],
          body: wire.body(secrets, value),
          scope,
          attempt: scope,
          attempts,
          secrets,
        });
        const key = keyOf(response, words);
        ring.accept(secrets);
        return { key, expiresAtMs, expiresAt, attempts, secrets, stats: response.stats };
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
        // The delay would exceed the deadline: fail now.
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

/** Reads the key of a successful response. Throws if it has none. */
const keyOf = ({ body, stats }: HttpResponse, words: CallWords): string => {
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
