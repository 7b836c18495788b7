import { hash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import { Secret } from '@vitrine/portal-client';
import type { WebhookRequest, WebhookResponse } from '../actionRoutes.ts';
import { fail, VitrineOptionsError } from '../options.ts';
import type { ActionsContext } from './context.ts';
import { sentence } from './diagnostics.ts';
import { decompress, excessOf, isEmptyBody } from './parse.ts';
import { timing } from './timing.ts';
import { withTimeout } from './withTimeout.ts';

/**
 * Secrets of the webhook, each of at least 32 bytes: one, several during a rotation, or a function that returns the current
 * ones for each delivery. While the function throws, the last known secrets apply.
 */
export type WebhookSecrets =
  | string
  | Secret
  | readonly (string | Secret)[]
  | (() => readonly (string | Secret)[]);

/** The result of a token check. `unknown`: the secrets cannot be loaded and the last known ones do not match. */
type TokenResult = 'right' | 'wrong' | 'unknown';

const sha256 = (data: string | Uint8Array): Buffer => hash('sha256', data, 'buffer');

/** Minimum length of a secret that cannot be guessed, in bytes. */
const minSecretBytes = 32;

const isSecret = (value: unknown): value is string | Secret =>
  typeof value === 'string' || value instanceof Secret;

/** Digests of the secrets, as UTF-8 and as ISO 8859-1, because no standard says how a header encodes other letters. */
const digestsOf = (secrets: readonly unknown[]): readonly Buffer[] => {
  // Plain JavaScript may pass anything, such as a promise.
  if (!secrets.every(isSecret))
    return fail(
      'invalid_webhook_secret',
      'The secrets of the action webhook must be a string, an array of strings, or a synchronous function that returns one of them.',
    );
  const texts = secrets
    .map((secret) => (secret instanceof Secret ? secret.reveal() : secret).trim())
    .filter((text) => text !== '');
  if (texts.length === 0)
    fail(
      'missing_webhook_secret',
      'The action webhook has no secret, so anyone could post to it. Set `secrets` (VITRINE_WEBHOOK_SECRET) to the token ' +
        'configured on the Action Task.',
    );
  const short = texts.find((text) => Buffer.byteLength(text) < minSecretBytes);
  if (short !== undefined)
    fail(
      'webhook_secret_too_short',
      `A secret of the action webhook has ${Buffer.byteLength(short)} bytes; ${minSecretBytes} are required so that it cannot be guessed. ` +
        'Configure a longer token on the Action Task.',
    );
  return texts.flatMap((text) => {
    const isLatin1 = /^[\0-\xff]*$/.test(text);
    return [text, ...(isLatin1 ? [Buffer.from(text, 'latin1')] : [])].map(sha256);
  });
};

/** The scheme before the credentials (RFC 9110). */
const scheme = /^[\w!#$%&'*+.^`|~-]+[ \t]+/;

/**
 * The bytes that may be a secret: `Bearer <secret>` in any case, another scheme, or the bare secret. The same value sent
 * twice, which servers join by a comma, counts once.
 */
const candidatesOf = (authorization: string): readonly Buffer[] => {
  const parts = new Set(authorization.split(',').map((part) => part.trim()));
  const wholes = [authorization.trim(), ...(parts.size === 1 ? parts : [])];
  // A secret with a space looks like a scheme and its credentials.
  const texts = wholes.flatMap((whole) => [whole, whole.replace(scheme, '')]);
  // Headers are ISO 8859-1: one character for each byte.
  return texts.map((text) => sha256(Buffer.from(text, 'latin1')));
};

/** Why secrets could not be loaded, without the text of a third-party error, which may quote a secret. */
const reasonOf = (error: unknown): string => {
  if (error instanceof VitrineOptionsError) return error.message;
  if (!(error instanceof Error)) return 'unknown error';
  return 'code' in error && typeof error.code === 'string' ? `${error.name} ${error.code}` : error.name;
};

/**
 * Creates the check of the `Authorization` value. It compares all digests, of equal length, so that the time taken reveals
 * nothing about the secret. `read` is called for each delivery. While it throws, the last known secrets apply, because a
 * rejected delivery is lost; if it returns an invalid list, none apply. The first call decides whether the host starts.
 * `onUnavailable` is called once with the reason when the secrets can no longer be loaded, and when none applies anymore.
 */
export const createTokenCheck = (
  read: () => readonly unknown[],
  onUnavailable: (reason: string, isLastKnown: boolean) => void,
): ((authorization: string | undefined) => TokenResult) => {
  let expected: readonly Buffer[] | undefined = digestsOf(read());
  /** Whether the last known secrets still apply; undefined while the secrets can be loaded. */
  let isLastKnown: boolean | undefined;
  const reload = (): void => {
    try {
      const given = read();
      expected = undefined;
      expected = digestsOf(given);
      isLastKnown = undefined;
    } catch (error) {
      const before = isLastKnown;
      isLastKnown = expected !== undefined;
      if (isLastKnown !== before) onUnavailable(reasonOf(error), isLastKnown);
    }
  };

  return function checkToken(authorization) {
    reload();
    if (expected === undefined) return 'unknown';
    let matches = 0;
    for (const candidate of candidatesOf(authorization ?? ''))
      for (const secret of expected) matches += Number(timingSafeEqual(candidate, secret));
    if (matches > 0) return 'right';
    return isLastKnown === undefined ? 'wrong' : 'unknown';
  };
};

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** A dual-stack socket reports IPv4 inside IPv6 (`::ffff:192.0.2.1`). */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/**
 * Creates the check of the sender's address against addresses and ranges such as `192.0.2.0/24`. Without a list, all
 * are allowed.
 */
const createSourceCheck = (allowed: readonly string[] | undefined) => {
  if (!allowed) return () => true;
  const list = new BlockList();
  // Plain JavaScript may pass one entry instead of a list.
  for (const entry of [allowed].flat()) {
    const [given = '', prefix, ...others] = String(entry).split('/');
    const address = plain(given);
    const bits = isIP(address) === 6 ? 128 : 32;
    const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
    if (isIP(address) === 0 || !isPrefix || others.length > 0)
      fail(
        'invalid_allowed_sources',
        `"${entry}" in allowedSources is neither an IP address nor a range such as "192.0.2.0/24".`,
      );
    list.addSubnet(address, Number(prefix ?? bits), family(address));
  }
  return function isAllowedSource(address: string | undefined): boolean {
    const known = plain(address ?? '');
    return isIP(known) !== 0 && list.check(known, family(known));
  };
};

/** Requests sent before the sender noticed the shutdown arrive within this time. */
const quietMs = 100;
/** Accepting a connection and reading its first bytes are two turns of the event loop. */
const turns = 3;
/** Grace period for bodies still arriving at the end. */
const graceForBodiesMs = 1000;
const pollMs = 20;
/** How long an inbox counts as failing after a rejected delivery: a load balancer may then send no more to test it. */
const refusalMs = 60_000;

/** Waits, and then for some turns of the event loop: after a stall, timers run before arrived data is read. */
const quiet = async (): Promise<void> => {
  await wait(quietMs);
  for (let turn = 0; turn < turns; turn += 1) await setImmediate();
};

const answer = (
  status: WebhookResponse['status'],
  headers: WebhookResponse['headers'] = {},
): WebhookResponse => ({
  status,
  headers: { 'content-length': '0', 'cache-control': 'no-store', ...headers },
});
const closeConnection = { connection: 'close' } as const;

/** Options of {@link createReceiver}. */
export interface ReceiverOptions {
  readonly secrets: () => readonly unknown[];
  readonly allowedSources?: readonly string[] | undefined;
  readonly maxBodyBytes?: number | undefined;
}

/**
 * Creates the receiver of Action Task webhooks (docs/interface.md#6.1). The sender never retries, so only the token is
 * checked: the bytes are stored durably, then acknowledged, and parsed later.
 */
export const createReceiver = ({ inbox, report, messageOf }: ActionsContext, options: ReceiverOptions) => {
  const { maxBodyBytes = 5 * 1024 * 1024 } = options;
  const checkToken = createTokenCheck(options.secrets, (reason, isLastKnown) =>
    report({
      kind: 'secrets-unavailable',
      message: `Could not load the secrets of the action webhook (${reason}). Until this is fixed, ${isLastKnown ? 'the last known secrets apply, and a delivery that does not match them' : 'no secret applies, and every delivery'} gets a 503 response.`,
    }),
  );
  const isAllowedSource = createSourceCheck(options.allowedSources);
  const state = {
    phase: 'open' as 'open' | 'draining' | 'closed',
    arrivals: 0,
    inFlight: 0,
    refusedUntilMs: 0,
  };

  const reject = (why: string, response: WebhookResponse, from = ''): WebhookResponse => {
    report({ kind: 'rejected', message: `Rejected an action webhook${from}: ${why}` });
    return response;
  };
  const tooLarge = (): WebhookResponse =>
    reject(
      `its body is over ${maxBodyBytes} bytes, or would be when decompressed. Raise \`maxBodyBytes\` if such selections are expected.`,
      answer(413, closeConnection),
    );
  const storeBody = async (request: WebhookRequest, declaredBytes: number): Promise<WebhookResponse> => {
    const limit = { what: 'The body', timeoutMs: timing.bodyMs };
    const body = await withTimeout(limit, () =>
      request.readBody(maxBodyBytes).catch((error: unknown) => ({ kind: 'failed', error }) as const),
    ).catch(() => ({ kind: 'slow' }) as const);
    const acknowledged = answer(202, state.phase === 'open' ? {} : closeConnection);
    switch (body.kind) {
      case 'failed':
        throw body.error;
      case 'too-large':
        return tooLarge();
      case 'slow':
        return reject(
          `its body had not arrived after ${timing.bodyMs} ms. Check the connection to the portal.`,
          answer(408, closeConnection),
        );
      case 'aborted':
        return reject('its sender closed the connection before its body had arrived.', answer(503));
      case 'read': {
        const { bytes: raw, isReserialized } = body;
        const isChunked = request.header('transfer-encoding') !== undefined;
        if (body.wasParsed && isEmptyBody(raw) && (declaredBytes > 4 || isChunked))
          return reject(
            'something before Vitrine read its body and left nothing in `req.body`. Mount Vitrine before it.',
            answer(400, closeConnection),
          );
        const encoding = isReserialized ? undefined : request.header('content-encoding');
        const contentType = isReserialized ? undefined : request.header('content-type');
        // What could block or end the process when it is parsed is not stored.
        const expanded = decompress({ raw, encoding }, maxBodyBytes);
        if (expanded === undefined) return tooLarge();
        const excess = excessOf(expanded);
        if (excess !== undefined)
          return reject(
            `its body ${excess}, which no click needs and which could block this process. Check what the Action Task sends.`,
            answer(413),
          );
        const { source } = request;
        await inbox.append({ raw, receivedAtMs: Date.now(), source, encoding, contentType, isReserialized });
        state.refusedUntilMs = 0;
        return acknowledged;
      }
    }
  };
  const store = async (request: WebhookRequest): Promise<WebhookResponse> => {
    const declaredBytes = Number(request.header('content-length') ?? 0);
    if (declaredBytes > maxBodyBytes) return tooLarge();
    state.inFlight += 1;
    try {
      return await storeBody(request, declaredBytes);
    } catch (error) {
      state.refusedUntilMs = performance.now() + refusalMs;
      const message = `Could not store an action webhook, so the click is lost (status 503): ${sentence(messageOf(error))} Check the disk or the database of the inbox.`;
      report({ kind: 'unstored', message, error });
      return answer(503, { 'retry-after': '1', ...(state.phase !== 'open' && closeConnection) });
    } finally {
      state.inFlight -= 1;
    }
  };

  return {
    async receive(request: WebhookRequest): Promise<WebhookResponse> {
      const { source } = request;
      const from = ` from ${source ?? 'an unknown address'}`;
      if (request.method !== 'POST') return answer(405, { allow: 'POST' });
      if (state.phase === 'closed') return answer(503, closeConnection);
      state.arrivals += 1;
      if (!isAllowedSource(source))
        return reject('its address is not in `allowedSources`.', answer(403, closeConnection), from);
      const authorization = request.header('authorization');
      const tokenState = checkToken(authorization);
      if (tokenState === 'right') return store(request);
      if (tokenState === 'unknown')
        return reject(
          'the secrets are not available, so its token cannot be checked. Fix `secrets`.',
          answer(503, { 'retry-after': '10', ...closeConnection }),
          from,
        );
      return reject(
        authorization === undefined
          ? 'it has no Authorization header. Set the secret token on the Action Task.'
          : 'its token does not match `secrets`. If you changed the token on the Action Task, add the new one to `secrets`.',
        answer(401, { 'www-authenticate': 'Bearer', ...closeConnection }),
        from,
      );
    },
    /** False after a delivery could not be stored, until one is stored or a minute has passed. */
    canPersist: (): boolean => state.phase !== 'closed' && performance.now() > state.refusedUntilMs,
    /** Asks senders to close their connections, in the responses to further deliveries. */
    askToDisconnect(): void {
      state.phase = 'draining';
    },
    /** Resolves when no requests arrive for a moment, at the latest at a time of `performance.now()`. */
    async untilQuiet(endMs: number): Promise<void> {
      for (let seen = -1; seen !== state.arrivals || state.inFlight > 0; ) {
        if (performance.now() >= endMs) break;
        seen = state.arrivals;
        await quiet();
      }
    },
    /** Rejects new requests with 503; started ones have a second to finish. */
    async stop(): Promise<void> {
      state.phase = 'closed';
      const lastMs = performance.now() + graceForBodiesMs;
      while (state.inFlight > 0 && performance.now() < lastMs) await wait(pollMs);
    },
  };
};
