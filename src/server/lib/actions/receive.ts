import { hash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { valueText } from '@vitrine/contract/service';
import { Secret } from '@vitrine/portal-client';
import type { WebhookContext } from '../actionRoutes.ts';
import { invalid } from '../options.ts';
import type { Reply } from '../problems.ts';
import { type BodyReader, createBodyReader, type ParsedBody } from '../requestBody.ts';
import type { ActionsContext } from './context.ts';
import type { ActionsOptions } from './options.ts';
import { isEmptyBody } from './parse.ts';

type Secrets = ActionsOptions['secrets'];

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Long enough that nobody guesses it, and in ASCII, because no standard says how a header encodes other letters. */
const isUsable = (text: string): boolean => /^[\t\x20-\x7e]{32,}$/.test(text);

/** Digests of the secrets. */
const digestsOf = (given: Secrets): readonly Buffer[] => {
  // Plain JavaScript may pass anything, such as a promise.
  const secrets: readonly unknown[] = [given ?? []].flat();
  const texts = secrets
    .map((secret) => (secret instanceof Secret ? secret.reveal() : secret))
    .map((secret) => (typeof secret === 'string' ? secret.trim() : '?'))
    .filter((text) => text !== '');
  const unusable = texts.find((text) => !isUsable(text));
  if (texts.length > 0 && unusable === undefined) return texts.map(sha256);
  return invalid(
    'secrets',
    unusable === undefined ? 'missing' : `a text of ${unusable.length} characters`,
    'the token of the Action Task (VITRINE_WEBHOOK_SECRET), so that nobody else can post: at least 32 characters, all ASCII and on one line, or an array of them',
  );
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
  return texts.map(sha256);
};

/**
 * Creates the check of the `Authorization` value. It compares all digests, of equal length, so that the time taken reveals
 * nothing about the secret.
 */
export const createTokenCheck = (secrets: Secrets): ((authorization: string) => boolean) => {
  const expected = digestsOf(secrets);
  return function checkToken(authorization) {
    let matches = 0;
    for (const candidate of candidatesOf(authorization))
      for (const secret of expected) matches += Number(timingSafeEqual(candidate, secret));
    return matches > 0;
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
  const refuse = (found: string) =>
    invalid('allowedSources', found, 'IP addresses or ranges such as "192.0.2.0/24"');
  if (entries.length === 0) refuse('empty, so nobody may post');
  const list = new BlockList();
  for (const entry of entries) {
    const [, given = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(String(entry)) ?? [];
    const address = plainAddress(given);
    try {
      list.addSubnet(address, Number(prefix ?? (isIP(address) === 6 ? 128 : 32)), family(address));
    } catch {
      refuse(valueText(entry));
    }
  }
  return (address: string | undefined): boolean =>
    address !== undefined && isIP(address) !== 0 && list.check(address, family(address));
};

/** The bytes after a body parser: its buffer, a `rawBody` kept by a `verify` hook, or its result serialized again. */
const parsedBytes = ({ body, rawBody }: ParsedBody): Uint8Array => {
  const kept = rawBody ?? body;
  if (kept instanceof Uint8Array) return kept;
  return Buffer.from(typeof kept === 'string' ? kept : JSON.stringify(body ?? null));
};

/** How long an inbox counts as failing after a rejected delivery: a load balancer may then send no more to test it. */
const refusalMs = 60_000;

const reply = (status: number, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { 'content-length': '0', 'cache-control': 'no-store', ...headers },
  body: null,
});
const closeConnection = { connection: 'close' };

/**
 * Creates the receiver of Action Task webhooks (docs/interface.md#6.1). The sender never retries, so only the token is
 * checked: the bytes are stored durably, then acknowledged, and parsed later.
 */
export const createReceiver = ({ inbox, report, timing }: ActionsContext, options: ActionsOptions) => {
  const { maxBodyBytes = 5 * 1024 * 1024 } = options;
  const checkToken = createTokenCheck(options.secrets);
  const isAllowedSource = createSourceCheck(options.allowedSources);
  const state = { phase: 'open' as 'open' | 'draining' | 'closed', refusedUntilMs: 0 };
  const closeAtEnd = () => (state.phase === 'open' ? {} : closeConnection);
  /** Why a webhook is rejected: the status, what was wrong, and what to do. */
  const rejections = {
    source: [403, 'its address is not in `allowedSources`.'],
    missing: [401, 'it has no Authorization header. Set the secret token on the Action Task.'],
    wrong: [401, 'its token does not match `secrets`; after a change at the Action Task, add the new one.'],
    late: [408, `its body had not arrived after ${timing.bodyMs} ms. Check the connection to the portal.`],
    gone: [408, 'its sender closed the connection before its body had arrived.'],
    'too-large': [413, `its body is over ${maxBodyBytes} bytes: see \`maxBodyBytes\`.`],
    taken: [400, 'something before Vitrine read its body and left no `req.body`. Mount Vitrine before it.'],
  } as const;
  const reject = (name: keyof typeof rejections, source = 'an unknown address'): Reply => {
    const [status, why] = rejections[name];
    report({ kind: 'rejected', message: `Rejected an action webhook from ${source}: ${why}` });
    return reply(status, { ...closeConnection, ...(status === 401 && { 'www-authenticate': 'Bearer' }) });
  };

  /** Checks the sender, and stores the body. Resolves to the reason if it is rejected. */
  const store = async ({ headers }: Request, reader: BodyReader, source: string | undefined) => {
    if (!isAllowedSource(source)) return 'source';
    const authorization = headers.get('authorization');
    if (authorization === null) return 'missing';
    if (!checkToken(authorization)) return 'wrong';
    const body = await reader.read({ maxBytes: maxBodyBytes, timeoutMs: timing.bodyMs });
    if (body.kind !== 'parsed' && body.kind !== 'bytes') return body.kind;
    const raw = body.kind === 'parsed' ? parsedBytes(body.parsed) : body.bytes;
    const parsed = body.kind === 'parsed' ? body.parsed : undefined;
    const wasSent = Number(headers.get('content-length')) > 4 || headers.has('transfer-encoding');
    if (parsed && isEmptyBody(raw) && wasSent) return 'taken';
    if (raw.byteLength > maxBodyBytes) return 'too-large';
    // What a parser has left may be in another encoding than what was sent.
    const isConverted = parsed !== undefined && raw !== (parsed.rawBody ?? parsed.body);
    const contentType = isConverted ? undefined : (headers.get('content-type') ?? undefined);
    await inbox.append({ raw, receivedAtMs: Date.now(), source, contentType });
    return undefined;
  };

  return {
    async receive(request: Request, context: WebhookContext = {}): Promise<Reply> {
      const { reader = createBodyReader(request) } = context;
      const source = context.source && plainAddress(context.source);
      if (request.method !== 'POST') return reply(405, { allow: 'POST' });
      if (state.phase === 'closed') return reply(503, closeConnection);
      try {
        const rejection = await store(request, reader, source);
        if (rejection !== undefined) return reject(rejection, source);
        state.refusedUntilMs = 0;
        return reply(202, closeAtEnd());
      } catch (error) {
        state.refusedUntilMs = performance.now() + refusalMs;
        const message = 'Could not store an action webhook, so the click is lost (status 503)';
        report({ kind: 'unstored', message, error, advice: 'Check the disk or the database of the inbox.' });
        return reply(503, closeAtEnd());
      }
    },
    /** False after a delivery could not be stored, until one is stored or a minute has passed. */
    canPersist: (): boolean => state.phase !== 'closed' && performance.now() > state.refusedUntilMs,
    /** From now on, asks senders to close their connections, or rejects what they send. */
    enter(phase: 'draining' | 'closed'): void {
      state.phase = phase;
    },
  };
};
