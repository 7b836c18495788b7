import { hash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import { Secret } from '@vitrine/portal-client';
import type { WebhookContext } from '../actionRoutes.ts';
import { fail, VitrineOptionsError } from '../options.ts';
import type { Reply } from '../problems.ts';
import { createBodyReader, type ParsedBody } from '../requestBody.ts';
import type { ActionsContext } from './context.ts';
import { sentence } from './diagnostics.ts';
import { decompress, isEmptyBody } from './parse.ts';
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
      'The action webhook has no secret, so anyone could post to it. Set `secrets` (VITRINE_WEBHOOK_SECRET) to the token configured on the Action Task.',
    );
  for (const text of texts) {
    const bytes = Buffer.byteLength(text);
    if (bytes < minSecretBytes)
      fail(
        'webhook_secret_too_short',
        `A secret of the action webhook has ${bytes} bytes; ${minSecretBytes} are required so that it cannot be guessed. Configure a longer token on the Action Task.`,
      );
    // HTTP allows no other control character in a header than the tab.
    if (/(?!\t)\p{Cc}/u.test(text))
      fail(
        'invalid_webhook_secret',
        'A secret of the action webhook contains a line break or another control character, which no header can carry. Pass several secrets as an array.',
      );
  }
  return texts.flatMap((text) => {
    const isLatin1 = /^[\0-\xff]*$/.test(text);
    return [text, ...(isLatin1 ? [Buffer.from(text, 'latin1')] : [])].map(sha256);
  });
};

/** The same value several times, which servers join by a comma. */
const repeated = /^(.+?)(?:\s*,\s*\1)*$/s;
/** The scheme before the credentials (RFC 9110). */
const scheme = /^[\w!#$%&'*+.^`|~-]+[ \t]+/;

/** The bytes that may be a secret: `Bearer <secret>` in any case, another scheme, or the bare secret, sent once or twice. */
const candidatesOf = (authorization: string): readonly Buffer[] => {
  const whole = authorization.trim();
  const once = repeated.exec(whole)?.[1] ?? '';
  // A secret with a space looks like a scheme and its credentials.
  const texts = [whole, once].flatMap((text) => [text, text.replace(scheme, '')]);
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
): ((authorization: string) => TokenResult) => {
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
    for (const candidate of candidatesOf(authorization))
      for (const secret of expected) matches += Number(timingSafeEqual(candidate, secret));
    if (matches > 0) return 'right';
    return isLastKnown === undefined ? 'wrong' : 'unknown';
  };
};

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Without the port or brackets of a proxy. A dual-stack socket reports IPv4 inside IPv6 (`::ffff:192.0.2.1`). */
const plainAddress = (address: string): string =>
  address
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '');

/** Creates the check of the sender's address against addresses and ranges such as `192.0.2.0/24`. */
const createSourceCheck = (allowed: readonly string[] | undefined) => {
  if (allowed === undefined) return () => true;
  // Plain JavaScript may pass one entry instead of a list.
  const entries = [allowed ?? []].flat();
  if (entries.length === 0)
    fail(
      'invalid_allowed_sources',
      'allowedSources is empty, so nobody may post. List addresses, or omit it: the token is the main check.',
    );
  const list = new BlockList();
  for (const entry of entries) {
    const [, given = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(String(entry)) ?? [];
    const address = plainAddress(given);
    try {
      list.addSubnet(address, Number(prefix ?? (isIP(address) === 6 ? 128 : 32)), family(address));
    } catch {
      fail(
        'invalid_allowed_sources',
        `"${entry}" in allowedSources is neither an IP address nor a range such as "192.0.2.0/24".`,
      );
    }
  }
  return (address: string | undefined): boolean =>
    address !== undefined && isIP(address) !== 0 && list.check(address, family(address));
};

/** The bytes after a body parser: its buffer, a `rawBody` kept by a `verify` hook, or its result serialized again. */
const parsedBytes = ({ body, rawBody }: ParsedBody): Uint8Array => {
  const kept = rawBody ?? body;
  if (kept instanceof Uint8Array) return kept;
  try {
    return Buffer.from(typeof kept === 'string' ? kept : JSON.stringify(body ?? null));
  } catch (cause) {
    throw new Error(
      'A body parser read the body first, and its result cannot be converted back. Mount Vitrine before it.',
      { cause },
    );
  }
};

/** Requests sent before the sender noticed the shutdown arrive within this time. */
const quietMs = 100;
/** Grace period for bodies still arriving at the end. */
const graceForBodiesMs = 1000;
const pollMs = 20;
/** How long an inbox counts as failing after a rejected delivery: a load balancer may then send no more to test it. */
const refusalMs = 60_000;

const reply = (status: number, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { 'content-length': '0', 'cache-control': 'no-store', ...headers },
  body: null,
});
const closeConnection = { connection: 'close' };

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
  const closeAtEnd = () => (state.phase === 'open' ? {} : closeConnection);

  /** Stores a delivery, or returns the status of its rejection and the reason. */
  const store = async (
    request: Request,
    { reader = createBodyReader(request) }: WebhookContext,
    source: string | undefined,
  ): Promise<readonly [number, string] | undefined> => {
    const { headers } = request;
    const tooLarge = [
      413,
      `its body is over ${maxBodyBytes} bytes, or would be when decompressed. Raise \`maxBodyBytes\` if such selections are expected.`,
    ] as const;
    const limit = { what: 'The body', timeoutMs: timing.bodyMs };
    const body = await withTimeout(limit, () => reader.read(maxBodyBytes)).catch(() => undefined);
    if (body === undefined)
      return [408, `its body had not arrived after ${timing.bodyMs} ms. Check the connection to the portal.`];
    if (body.kind === 'too-large') return tooLarge;
    if (body.kind === 'gone') return [503, 'its sender closed the connection before its body had arrived.'];
    const wasParsed = body.kind === 'parsed';
    const raw = wasParsed ? parsedBytes(body.parsed) : body.bytes;
    const wasSent = Number(headers.get('content-length')) > 4 || headers.has('transfer-encoding');
    if (wasParsed && isEmptyBody(raw) && wasSent)
      return [
        400,
        'something before Vitrine read its body and left nothing in `req.body`. Mount Vitrine before it.',
      ];
    // A parser has decompressed an encoded body, so these are not the bytes that were sent.
    const isReserialized =
      wasParsed && (headers.has('content-encoding') || raw !== (body.parsed.rawBody ?? body.parsed.body));
    const header = (name: string) => (isReserialized ? undefined : (headers.get(name) ?? undefined));
    const encoding = header('content-encoding');
    const decompressed = decompress({ raw, encoding }, maxBodyBytes);
    if (decompressed === undefined || decompressed.byteLength > maxBodyBytes) return tooLarge;
    const contentType = header('content-type');
    await inbox.append({ raw, receivedAtMs: Date.now(), source, encoding, contentType, isReserialized });
    return undefined;
  };
  /** The rejection of a sender. */
  const checkSender = (authorization: string | null, source: string | undefined) => {
    if (!isAllowedSource(source)) return [403, 'its address is not in `allowedSources`.', {}] as const;
    const token = checkToken(authorization ?? '');
    if (token === 'right') return undefined;
    if (token === 'unknown')
      return [
        503,
        'the secrets are not available, so its token cannot be checked. Fix `secrets`.',
        { 'retry-after': '10' },
      ] as const;
    const why =
      authorization === null
        ? 'it has no Authorization header. Set the secret token on the Action Task.'
        : 'its token does not match `secrets`. If you changed the token on the Action Task, add the new one to `secrets`.';
    return [401, why, { 'www-authenticate': 'Bearer' }] as const;
  };

  return {
    async receive(request: Request, context: WebhookContext = {}): Promise<Reply> {
      const source = context.source === undefined ? undefined : plainAddress(context.source);
      if (request.method !== 'POST') return reply(405, { allow: 'POST' });
      if (state.phase === 'closed') return reply(503, closeConnection);
      state.arrivals += 1;
      state.inFlight += 1;
      try {
        const rejection =
          checkSender(request.headers.get('authorization'), source) ??
          (await store(request, context, source));
        if (rejection === undefined) {
          state.refusedUntilMs = 0;
          return reply(202, closeAtEnd());
        }
        const [status, why, headers = {}] = rejection;
        report({
          kind: 'rejected',
          message: `Rejected an action webhook from ${source ?? 'an unknown address'}: ${why}`,
        });
        return reply(status, { ...headers, ...closeConnection });
      } catch (error) {
        state.refusedUntilMs = performance.now() + refusalMs;
        const message = `Could not store an action webhook, so the click is lost (status 503): ${sentence(messageOf(error))} Check the disk or the database of the inbox.`;
        report({ kind: 'unstored', message, error });
        return reply(503, { 'retry-after': '1', ...closeAtEnd() });
      } finally {
        state.inFlight -= 1;
      }
    },
    /** False after a delivery could not be stored, until one is stored or a minute has passed. */
    canPersist: (): boolean => state.phase !== 'closed' && performance.now() > state.refusedUntilMs,
    /**
     * Asks senders to close their connections, waits for `work`, and until no requests arrive for a moment, at the latest
     * at a time of `performance.now()`.
     */
    async drain(work: Promise<unknown> | undefined, endMs: number): Promise<void> {
      state.phase = 'draining';
      await work;
      for (let seen = -1; seen !== state.arrivals || state.inFlight > 0; ) {
        if (performance.now() >= endMs) break;
        seen = state.arrivals;
        await wait(quietMs);
        // After a stall, timers run before arrived connections are accepted and read.
        for (let turn = 0; turn < 3; turn += 1) await setImmediate();
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
