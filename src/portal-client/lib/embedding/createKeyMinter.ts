import { createEncryptedKeyPath } from '@vitrine/contract';
import type { Dispatcher } from 'undici';
import { callError } from '../errors/callError.ts';
import { checkOptions, type OptionNames } from '../errors/checkOptions.ts';
import { isPortalError, type PortalError } from '../errors/portalError.ts';
import { bodyNames } from '../errors/refusal.ts';
import { CallScope, ScopeEnded } from '../http/callScope.ts';
import type { CallStats } from '../http/callStats.ts';
import { monotonicClock } from '../http/clock.ts';
import { createDispatcher, type TlsOptions } from '../http/createDispatcher.ts';
import { createRedactor } from '../http/createRedactor.ts';
import type { HttpAnswer } from '../http/httpCall.ts';
import { repeat } from '../http/repeat.ts';
import { emptyStats, sendOnce } from '../http/sendOnce.ts';
import type { StopSignal } from '../http/stopSignal.ts';
import { endedError } from '../http/transportError.ts';
import { checkMintRequest } from './checkMintRequest.ts';
import { createIsoTime } from './createIsoTime.ts';
import { mintHint } from './mintHint.ts';
import { createMintWire } from './mintWire.ts';
import type { PortalConnection } from './portalConnection.ts';
import { readKey } from './readKey.ts';
import { createRetryBudget } from './retryBudget.ts';
import { createSecretRing, type SecretPair } from './secretRing.ts';

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
   * business. Default: one that goes through the proxy of HTTPS_PROXY, HTTP_PROXY and NO_PROXY, where they are set.
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

/** For whom and for what a key is made. */
export interface MintRequest {
  /** Identity of the viewing user (interface 4.6 `value.userId`). */
  readonly userId: string;
  readonly itemId: number;
  /** RLS roles; left out of the call when empty. */
  readonly roleNames?: readonly string[];
  /** Milliseconds the key shall live; one minute to 24 hours. */
  readonly lifetimeMs: number;
  /** Milliseconds for the whole call, a second attempt included. Default: as long as the attempts take. */
  readonly timeoutMs?: number;
  /** An `AbortSignal`, or anything that is listened to like one. */
  readonly signal?: StopSignal | undefined;
  /** Sent as `X-Request-Id`, so that the portal's log and the caller's can be compared. Default: none. */
  readonly requestId?: string | undefined;
}

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

/** A second attempt helps where the connection broke, not where the service has decided and not where time ran out. */
const isWorthRetrying = ({ kind, status, retryAfterMs }: PortalError): boolean =>
  (kind === 'network' || (kind === 'server' && status !== undefined && status <= 504 && status !== 501)) &&
  retryAfterMs === undefined;

/** Viewers wait meanwhile, so a portal that asks for more than five minutes is asked again after them. */
const maxRetryAfterMs = 5 * 60 * 1000;
const words = { purpose: 'to create a key', hintOf: mintHint };

/**
 * Creates a {@link KeyMinter}. The connection must come from `parsePortalConnection`.
 * Throws a `PortalError` of kind `config` for an option that does not exist or cannot be used.
 */
export const createKeyMinter = (connection: PortalConnection, options: KeyMinterOptions = {}): KeyMinter => {
  checkOptions('createKeyMinter', options, optionNames);
  const { attemptTimeoutMs = 5000, maxResponseBytes = 65_536, retry = true } = options;
  const { now = Date.now, random = Math.random, ca, tls } = options;
  const { origin, pathname } = new URL(connection.apiBaseUrl);
  const pathPrefix = pathname.replace(/\/+$/, '');
  const upstream = createDispatcher(connection.apiBaseUrl, {
    connections: options.connections ?? 64,
    connectTimeoutMs: options.connectTimeoutMs ?? 3000,
    dispatcher: options.dispatcher,
    tls: ca === undefined ? tls : { ...tls, ca: [tls?.ca ?? [], ca].flat() },
    env: options.env ?? process.env,
  });
  const described = { method: 'POST', path: createEncryptedKeyPath } as const;
  const wire = createMintWire(connection);
  const redact = createRedactor([...connection.apiKeys, ...connection.passPhrases]);
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
    const scope = new CallScope({ clock: monotonicClock, timeoutMs, parent: signal });
    let sent = 0;
    const send = async (secrets: SecretPair): Promise<HttpAnswer> => {
      const attempt = scope.open(attemptTimeoutMs);
      sent += 1;
      try {
        return await sendOnce({
          ...upstream,
          ...described,
          origin,
          pathPrefix,
          headers:
            requestId === undefined
              ? wire.headers(secrets)
              : [...wire.headers(secrets), 'X-Request-Id', requestId],
          body: wire.body(secrets, value),
          scope,
          attempt,
          maxResponseBytes,
          maxRetryAfterMs,
          attempts: sent,
          secrets,
          nowMs: now,
          redact,
          words,
          isEnveloped: true,
        });
      } finally {
        attempt.close();
      }
    };
    /** Sends with the secrets that the portal accepted last, and with the others while it refuses them. */
    const tryEverySecret = async (): Promise<MintedKey> => {
      let secrets = ring.current();
      const tried = { apiKey: 1, passPhrase: 1 };
      for (;;)
        try {
          const answer = await send(secrets);
          const key = keyOf(answer);
          ring.accept(secrets);
          return { key, expiresAtMs, expiresAt, attempts: sent, secrets, stats: answer.stats };
        } catch (error) {
          const kind = isPortalError(error) ? error.kind : undefined;
          if (kind !== 'unauthorized' && kind !== 'business') throw error;
          const which = kind === 'unauthorized' ? 'apiKey' : 'passPhrase';
          const next = ring.next(secrets, which, tried[which]);
          if (next === undefined) throw error;
          secrets = next;
          tried[which] += 1;
        }
    };
    budget.earn();
    try {
      return await repeat({
        scope,
        attempt: tryEverySecret,
        delayAfter: (error, attempts) =>
          retry && attempts === 1 && isWorthRetrying(error) && budget.spend()
            ? 50 + random() * 150
            : undefined,
      });
    } catch (error) {
      if (error instanceof ScopeEnded) throw endedError(scope, { words, stats: emptyStats(described, sent) });
      throw error;
    } finally {
      scope.close();
    }
  };

  return { proxy: upstream.proxy, mint, close: upstream.close };
};

/** The key of an answer. Throws the error of an answer without one. */
const keyOf = ({ status, body, stats }: HttpAnswer): string => {
  const key = readKey(body);
  if (key !== undefined) return key;
  const seen =
    stats.body === 'envelope' ? 'an envelope without a usable key' : bodyNames[stats.body ?? 'empty'];
  throw callError(words, `The portal answered with status ${status} and ${seen}.`, {
    kind: 'invalid_response',
    code: 'no_key',
    stats,
  });
};
