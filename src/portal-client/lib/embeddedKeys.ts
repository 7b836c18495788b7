import { maxKeyLifetimeMs, minKeyLifetimeMs } from '@vitrine/contract';
import { createEncryptedKeyPath, embeddingKeyHeader, type OptionRules } from '@vitrine/contract/service';
import { mayRepeat, runCall } from './call.ts';
import type { ClientSetup } from './clientOptions.ts';
import type { PortalConnection } from './connection.ts';
import {
  type CallStats,
  type CallWords,
  callError,
  checkOptions,
  configError,
  isPortalError,
  longestTimerMs,
  PortalError,
  type SecretPair,
} from './errors.ts';
import { type HttpResponse, sendOnce } from './http.ts';
import { isRecord, member } from './json.ts';
import { keyAdvice } from './keyAdvice.ts';
import { bodyNames } from './refusals.ts';
import { shapeOf, unwrap } from './responses.ts';
import { createRedactor, rememberKey } from './secrets.ts';

/** A request for a key. */
export type KeyRequest = {
  /** Identity of the viewing user (docs/interface.md#4.6 `value.userId`). */
  readonly userId: string;
  readonly itemId: number;
  /** RLS roles. An empty list is sent as one. Default: omitted from the call. */
  readonly roleNames?: readonly string[];
  /** Lifetime of the key in milliseconds: one minute to 24 hours. */
  readonly lifetimeMs: number;
  /** Deadline of the whole call including retries, in milliseconds. Default: the client's `timeoutMs`, or 9,000. */
  readonly timeoutMs?: number | undefined;
  /** Aborts the call in any phase. */
  readonly signal?: AbortSignal | undefined;
  /** Sent as `X-Request-Id`, so that the portal's log and the caller's can be compared. Default: none. */
  readonly requestId?: string | undefined;
};

/** A new key. */
export interface CreatedKey {
  /** The encrypted key. A secret. Visible ASCII without quotes and backslashes, so JSON needs no escapes. */
  readonly key: string;
  /** Expiry by our clock, in milliseconds since the epoch. */
  readonly expiresAtMs: number;
  /** The expiry as sent, ISO 8601 in UTC. */
  readonly expiresAt: string;
  /** Facts of the successful request: latency, the portal's clock, which secrets the portal accepted and more. */
  readonly stats: CallStats;
}

/** An unknown field is rejected too: `roles` instead of `roleNames` would drop the row filter. */
const requestRules: OptionRules<keyof KeyRequest> = {
  userId: { kind: 'text', isRequired: true },
  itemId: { kind: 'whole', isRequired: true, min: 1 },
  roleNames: true,
  lifetimeMs: { kind: 'number', isRequired: true, min: minKeyLifetimeMs, max: maxKeyLifetimeMs },
  timeoutMs: { kind: 'number', min: 1, max: longestTimerMs },
  signal: true,
  requestId: { kind: 'text' },
};

/** The encrypted keys of a client, for embedded reports (docs/interface.md#4.6). */
export const createEmbeddedKeys = (setup: ClientSetup) => {
  const { embedding, readOnly } = setup;
  const create = embedding && createIssuer(embedding, setup);
  return {
    /**
     * POST {api_base_url}/api/services/app/ItemLinks/CreateEncryptedKey. Retried once after a broken connection, because an
     * additional key is harmless. Needs the client's option `embedding`. A read-only client rejects it.
     */
    create: async (request: KeyRequest): Promise<CreatedKey> => {
      if (readOnly)
        throw new PortalError(
          'No key was created: this client is read-only. Remove {readOnly} to create keys.',
          { kind: 'read_only', code: 'read_only' },
        );
      if (create === undefined)
        throw configError(
          'bad_option_embedding',
          'No key can be created: the client has no option embedding. Set it with tenantUrl, apiBaseUrl, tenantId, tenancyName, apiKey and passPhrase.',
        );
      checkOptions('The request for a key', request, requestRules);
      const { roleNames = [] } = request;
      if (!Array.isArray(roleNames) || roleNames.some((name) => typeof name !== 'string'))
        throw configError(
          'bad_option_roleNames',
          'roleNames of the request for a key must be a list of texts, the names of RLS roles. Omit it for none.',
        );
      return create(request);
    },
  };
};

const createIssuer = (
  connection: PortalConnection,
  { upstream, keyTimeoutMs, maxRetries, adapt }: ClientSetup,
): ((request: KeyRequest) => Promise<CreatedKey>) => {
  const redact = createRedactor([...connection.apiKey, ...connection.passPhrase]);
  const words: CallWords = {
    purpose: 'to create a key',
    adviceOf: (failure) => keyAdvice(failure, connection),
    redact,
    isEnveloped: true,
  };
  // The deadline of the call is enough: no timeout is retried.
  const target = {
    upstream,
    baseUrl: connection.apiBaseUrl,
    maxResponseBytes: 65_536,
    attemptTimeoutMs: 0,
    adapt,
  };
  const rotation = createRotation(connection);

  return ({ userId, itemId, roleNames, lifetimeMs, requestId, signal, timeoutMs = keyTimeoutMs }) => {
    const expiresAtMs = Date.now() + lifetimeMs;
    const expiresAt = new Date(expiresAtMs).toISOString();
    const value = { userId, reportId: itemId, roleNames, expiration: expiresAt };
    return runCall({
      signal,
      timeoutMs,
      maxRetries: Math.min(1, maxRetries),
      // An additional key changes nothing. The caller decides whether to wait for a Retry-After.
      mayRepeat: (error) =>
        error.stats?.retryAfterMs === undefined &&
        error.kind !== 'rate_limited' &&
        mayRepeat(error, { isWrite: false }),
      method: 'POST',
      path: createEncryptedKeyPath,
      words,
      attempt: (running) =>
        rotation(async (secrets) => {
          const { apiKey, passPhrase } = connection;
          const response = await sendOnce(
            target,
            {
              secrets,
              address: createEncryptedKeyPath,
              headers: {
                [connection.tenantIdHeader]: String(connection.tenantId),
                [embeddingKeyHeader]: `ApiKey ${(apiKey[secrets.apiKey] ?? apiKey[0]).reveal()}`,
                ...(requestId !== undefined && { 'X-Request-Id': requestId }),
              },
              body: JSON.stringify({
                value,
                passPhrase: (passPhrase[secrets.passPhrase] ?? passPhrase[0]).reveal(),
                tenancyName: connection.tenancyName,
              }),
            },
            running,
          );
          const key = keyOf(response);
          rememberKey(key);
          const { stats } = response;
          return { key, expiresAtMs, expiresAt, stats };
        }),
    });
  };
};

const newest: SecretPair = { apiKey: 0, passPhrase: 0 };
const newestPauseMs = 60_000;

/** The secrets that a refusal may be about, the likelier first; none if it names something else, such as a role. */
const refusedSecrets = ({ part, kind }: PortalError): readonly (keyof SecretPair)[] => {
  if (part === 'passphrase_wrong') return ['passPhrase'];
  if (part === 'api_key_wrong') return ['apiKey', 'passPhrase'];
  if (part !== undefined && part !== 'tenancy_name_wrong') return [];
  if (kind === 'unauthorized' || kind === 'forbidden') return ['apiKey', 'passPhrase'];
  return kind === 'business' ? ['passPhrase', 'apiKey'] : [];
};

/**
 * Finds the secrets that the portal accepts, and remembers them, so that a rotation costs one refused call and not one
 * per key. Once a minute it tries the newest again, which the portal may accept by then.
 */
const createRotation = (connection: PortalConnection) => {
  const sizes = { apiKey: connection.apiKey.length, passPhrase: connection.passPhrase.length };
  let current = newest;
  let retryNewestMs = 0;

  const start = (): SecretPair => {
    if (performance.now() < retryNewestMs) return current;
    retryNewestMs = performance.now() + newestPauseMs;
    return newest;
  };

  return async <TValue>(attempt: (pair: SecretPair) => Promise<TValue>): Promise<TValue> => {
    const tried = { apiKey: 1, passPhrase: 1 };
    let first: PortalError | undefined;
    for (let pair = start(); ; ) {
      try {
        const value = await attempt(pair);
        current = pair;
        return value;
      } catch (error) {
        if (!isPortalError(error)) throw error;
        const next = refusedSecrets(error).find((name) => tried[name] < sizes[name]);
        // A refusal that blames no secret says more than that of another one.
        if (first === undefined || error.part === undefined) first = error;
        if (next === undefined) throw refusedSecrets(error).length === 0 ? error : first;
        tried[next] += 1;
        pair = { ...pair, [next]: (pair[next] + 1) % sizes[next] };
      }
    }
  };
};

// Base64, base64url, JWT and hex all fit; white space, quotes and line breaks do not.
const notInKeys = /[^\x21\x23-\x26\x28-\x5b\x5d-\x7e]/;
const maxKeyLength = 16_384;

/** Reads the key from an envelope with `success: true`, or from a bare object. Throws if it has no valid key. */
const keyOf = ({ body, stats, words }: HttpResponse): string => {
  const isRead = isRecord(body) && (member(body, 'success') ?? true) === true;
  const result = isRead ? unwrap(body) : undefined;
  const key = isRecord(result) ? member(result, 'key') : undefined;
  if (typeof key === 'string' && key !== '' && key.length <= maxKeyLength && !notInKeys.test(key)) return key;
  const seen =
    stats.body === 'envelope' ? 'an envelope without a usable key' : bodyNames[stats.body ?? 'empty'];
  const shape = body === undefined ? '' : `: ${shapeOf(body, words.redact)}`;
  throw callError(words, `The portal responded with status ${stats.status} and ${seen}${shape}.`, {
    kind: 'invalid_response',
    code: 'no_key',
    stats,
  });
};
