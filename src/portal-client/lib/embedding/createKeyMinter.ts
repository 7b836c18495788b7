import tls, { rootCertificates } from 'node:tls';
import { isItemId, maxKeyLifetimeMs, minKeyLifetimeMs } from '@vitrine/contract';
import { Pool } from 'undici';
import { checkOptions, type OptionNames } from '../client/checkOptions.ts';
import { PortalError } from '../errors/portalError.ts';
import { configError } from './configError.ts';
import { createDeadlines } from './createDeadlines.ts';
import { createIsoTime } from './createIsoTime.ts';
import { createRedactor } from './createRedactor.ts';
import { describeFailure } from './describeFailure.ts';
import { exchange } from './exchange.ts';
import { createMintWire, type MintValue } from './mintWire.ts';
import type { PortalConnection } from './portalConnection.ts';
import { readMintAnswer } from './readMintAnswer.ts';
import { createRetryBudget } from './retryBudget.ts';
import { createSecretRing, type SecretPair } from './secretRing.ts';
import type { StopSignal } from './stopSignal.ts';
import { waitBefore } from './waitBefore.ts';

/** Options of {@link createKeyMinter}. */
export interface KeyMinterOptions {
  /**
   * Connections kept to the portal at most. They bound the throughput: connections / seconds per mint.
   * 64 connections at 50 ms a mint make 1,280 keys a second. Default 64.
   */
  readonly connections?: number;
  /** Milliseconds one attempt may take. Default 5,000. */
  readonly attemptTimeoutMs?: number;
  /** Milliseconds to establish a connection. Default 3,000. */
  readonly connectTimeoutMs?: number;
  /** Bytes of an answer's body. Default 65,536. */
  readonly maxResponseBytes?: number;
  /** Whether a call that failed on the way may be tried once more, under a budget of about 8 %. Default true. */
  readonly retry?: boolean;
  /**
   * Certificates of authorities, PEM, that are trusted beside those that Node trusts already (`NODE_EXTRA_CA_CERTS`
   * among them). Default: none.
   */
  readonly ca?: string | readonly string[];
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: () => number;
  /** A number from 0 up to 1, for the pause before a retry. Default `Math.random`. */
  readonly random?: () => number;
}

const optionNames: OptionNames<KeyMinterOptions> = {
  connections: true,
  attemptTimeoutMs: true,
  connectTimeoutMs: true,
  maxResponseBytes: true,
  retry: true,
  ca: true,
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
  /** The portal's `Date` header, for a look at the clocks. */
  readonly portalDate: string | undefined;
  /** Which of the configured secrets were taken: 0 is the newest. */
  readonly secrets: SecretPair;
}

/** Creates encrypted keys at one tenant over kept-alive connections. */
export interface KeyMinter {
  /** Rejects with a `PortalError`. */
  mint(request: MintRequest): Promise<MintedKey>;
  /** Ends after the calls under way. */
  close(): Promise<void>;
}

/** What Node trusts by itself. Before 22.15 it could not be asked, and an authority of NODE_EXTRA_CA_CERTS is left out. */
const trustedAuthorities = (): readonly string[] =>
  'getCACertificates' in tls ? tls.getCACertificates('default') : rootCertificates;

const mayPass = new Set([500, 502, 503, 504]);

/** A second attempt helps where the way broke, not where the service has decided and not where time ran out. */
const isWorthRetrying = (error: PortalError): boolean =>
  (error.kind === 'network' ||
    (error.kind === 'server' && error.status !== undefined && mayPass.has(error.status))) &&
  error.retryAfterMs === undefined;

/**
 * Makes a {@link KeyMinter}. The connection must come from `parsePortalConnection`.
 * Throws a `PortalError` of kind `config` for an option that does not exist.
 */
export const createKeyMinter = (connection: PortalConnection, options: KeyMinterOptions = {}): KeyMinter => {
  checkOptions('createKeyMinter', options, optionNames);
  const {
    connections = 64,
    attemptTimeoutMs = 5000,
    connectTimeoutMs = 3000,
    maxResponseBytes = 65_536,
    retry = true,
    ca,
    now = Date.now,
    random = Math.random,
  } = options;
  const wire = createMintWire(connection);
  const described = { method: 'POST', path: wire.path };
  const pool = new Pool(new URL(connection.apiBaseUrl).origin, {
    connections,
    pipelining: 1,
    connect: {
      timeout: connectTimeoutMs,
      ...(ca === undefined ? {} : { ca: [...trustedAuthorities(), ...[ca].flat()] }),
    },
    // Our own deadline covers the whole exchange; undici's coarser timers would only cost time.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16_384,
    allowH2: false,
  });
  const redact = createRedactor([...connection.apiKeys, ...connection.passPhrases]);
  const ring = createSecretRing(connection);
  const budget = createRetryBudget();
  const isoOf = createIsoTime();
  const deadlines = createDeadlines();

  const mint = async (request: MintRequest): Promise<MintedKey> => {
    checkRequest(request);
    const { userId, itemId, roleNames, signal, timeoutMs = Number.POSITIVE_INFINITY } = request;
    const startMs = now();
    const expiresAtMs = startMs + request.lifetimeMs;
    const expiresAt = isoOf(expiresAtMs);
    const value: MintValue = {
      userId,
      reportId: itemId,
      roleNames: roleNames === undefined || roleNames.length === 0 ? undefined : roleNames,
      expiration: expiresAt,
    };
    let pair = ring.current();
    const tried = { apiKey: 1, passPhrase: 1 };
    let attempts = 0;
    let retried = !retry;
    budget.earn();
    for (;;) {
      attempts += 1;
      try {
        const leftMs = attempts === 1 ? timeoutMs : timeoutMs - (now() - startMs);
        const answer = await exchange(pool, deadlines, {
          path: wire.path,
          headers: wire.headers(pair),
          body: wire.body(pair, value),
          timeoutMs: Math.max(1, Math.min(attemptTimeoutMs, leftMs)),
          maxResponseBytes,
          signal,
        });
        const key = readMintAnswer(answer, { nowMs: now(), redact, request: described });
        ring.accept(pair);
        return { key, expiresAtMs, expiresAt, attempts, portalDate: answer.date, secrets: pair };
      } catch (caught) {
        const error = describeFailure(caught, described);
        const which = error.kind === 'unauthorized' ? 'apiKey' : 'passPhrase';
        const next =
          error.kind === 'unauthorized' || error.kind === 'business'
            ? ring.next(pair, which, tried[which])
            : undefined;
        if (next !== undefined) {
          pair = next;
          tried[which] += 1;
          continue;
        }
        if (retried || !isWorthRetrying(error) || !budget.spend()) throw withAttempts(error, attempts);
        retried = true;
        await waitBefore(50 + random() * 150, signal);
      }
    }
  };

  return { mint, close: () => pool.close() };
};

const withAttempts = (error: PortalError, attempts: number): PortalError =>
  error.attempts === attempts
    ? error
    : new PortalError(error.message, {
        kind: error.kind,
        code: error.code,
        status: error.status,
        retryAfterMs: error.retryAfterMs,
        request: error.request,
        attempts,
      });

const checkRequest = ({ itemId, userId, lifetimeMs }: MintRequest): void => {
  if (!isItemId(itemId))
    throw configError('invalid_item_id', 'The Item ID of a key must be a positive whole number.');
  if (typeof userId !== 'string' || userId === '')
    throw configError('invalid_user_id', 'The user ID of a key must be a text that is not empty.');
  if (!(lifetimeMs >= minKeyLifetimeMs && lifetimeMs <= maxKeyLifetimeMs))
    throw configError(
      'invalid_lifetime',
      `A key's lifetime must lie between one minute and 24 hours, in milliseconds; it is ${lifetimeMs}.`,
    );
};
