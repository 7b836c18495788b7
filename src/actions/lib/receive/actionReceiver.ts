import { VitrineOptionsError } from '@vitrine/server';
import { checkNumbers, checkOptions, longestTimerMs, type OptionNames } from '@vitrine/server/internal';
import type { ActionInbox } from '../inbox/actionInbox.ts';
import type { ReportNews } from '../news.ts';
import { createByteBudget } from './byteBudget.ts';
import { readInTime } from './readInTime.ts';
import { createRefusedKeeper, type KeepRefusedOptions } from './refusedBodies.ts';
import { createSourceCheck } from './sourceCheck.ts';
import { createTokenCheck } from './tokenCheck.ts';
import type { SecretPolicy, WebhookSecrets } from './webhookSecrets.ts';

/** What reading a body came to. */
export type BodyResult =
  | { readonly kind: 'read'; readonly bytes: Uint8Array; readonly isRebuilt?: boolean }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'aborted' };

/** A webhook request, whatever framework took it. */
export interface ActionRequest {
  readonly method: string;
  /** Value of a header by its lower-case name. */
  header(name: string): string | undefined;
  /** Address of the sender as the host's own proxy rules give it. */
  readonly source?: string | undefined;
  /** Reads the body, at most so many bytes. Called once, and only after the sender has proved itself. */
  readBody(maxBytes: number): Promise<BodyResult>;
}

/** The answer. It has no body: a sender that never retries reads nothing into one. */
export interface ActionResponse {
  readonly status: 202 | 401 | 403 | 405 | 408 | 413 | 503;
  readonly headers: Readonly<Record<string, string>>;
}

/** Options of {@link createActionReceiver}. */
export interface ActionReceiverOptions {
  /** Tokens configured on the Action Task. Several during a rotation. Each at least 32 bytes. */
  readonly secrets: WebhookSecrets;
  /** Where deliveries are stored before they are acknowledged. */
  readonly inbox: ActionInbox;
  /** Permits weaker secrets. Default: `strict`. */
  readonly secretPolicy?: SecretPolicy;
  /** IP addresses and ranges that may post. Default: all; the token is the check that counts. */
  readonly allowedSources?: readonly string[];
  /**
   * Keeps the bodies of deliveries whose token was refused, so that a token changed on one side alone costs none: mend the
   * secrets, then `vitrine actions accept <folder>`. Anybody can fill it, so it is small. Default: nothing is kept.
   */
  readonly keepRefused?: KeepRefusedOptions;
  /** Largest body, in bytes; a larger one is refused with 413 and reported. Default: 5 MiB. */
  readonly maxBodyBytes?: number;
  /** Bytes of bodies held in memory at once; beyond it sockets are left unread. Default: 64 MiB. */
  readonly maxBytesInFlight?: number;
  /**
   * Longest time a body may take to arrive once it is read, in milliseconds; a slower one is refused with 408 and reported,
   * because what it declared is held for it in `maxBytesInFlight`. Default: 1 minute.
   */
  readonly bodyTimeoutMs?: number;
  /** Hears of refused and unstored deliveries. Default: one line on the console. */
  readonly report: ReportNews;
  /** The present moment in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/** Takes webhook deliveries. */
export interface ActionReceiver {
  receive(request: ActionRequest): Promise<ActionResponse>;
  /**
   * Ends without losing what is on its way: still stores, and asks senders to close their connections, until a moment has
   * passed in which nothing came, or `graceMs`. From then on newcomers get 503, and who has begun has a second to finish.
   */
  stop(graceMs: number): Promise<void>;
}

const optionNames: OptionNames<ActionReceiverOptions> = {
  secrets: true,
  inbox: true,
  secretPolicy: true,
  allowedSources: true,
  keepRefused: true,
  maxBodyBytes: true,
  maxBytesInFlight: true,
  bodyTimeoutMs: true,
  report: true,
  now: true,
};

const mebibyte = 1024 * 1024;
/** For those who have begun to speak when the time is up. */
const lastWordsMs = 1000;
/** A request that was sent before its sender knew of the end arrives within this time. */
const quietMs = 100;
/** Accepting a connection and reading its first bytes are two looks at the sockets. */
const looks = 3;

/** So much time, and then looks at the sockets: after a hold-up of the loop its timers come before what has arrived. */
const quiet = async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, quietMs));
  for (let look = 0; look < looks; look += 1) await new Promise((resolve) => setImmediate(resolve));
};

const answer = (
  status: ActionResponse['status'],
  headers: ActionResponse['headers'] = {},
): ActionResponse => ({
  status,
  headers: { 'content-length': '0', 'cache-control': 'no-store', ...headers },
});

/** The answer to nearly every request. */
const accepted = answer(202);

const positive = (value: number, name: string): number => {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new VitrineOptionsError(
    'invalid_byte_limit',
    `${name} is ${String(value)}; it must be a positive whole number of bytes.`,
  );
};

/**
 * Creates the receiver of Action Task webhooks (interface 6.1). The sender never retries, so after the token nothing is
 * judged: the bytes are stored durably, then acknowledged, and only then does anybody look inside.
 *
 * @throws VitrineOptionsError: `missing_options`, `unknown_option`, `missing_webhook_secret`, `invalid_webhook_secret`, `webhook_secret_too_short`, `invalid_allowed_sources`,
 * `invalid_byte_limit`, `invalid_action_option`.
 */
export const createActionReceiver = (options: ActionReceiverOptions): ActionReceiver => {
  checkOptions('The action receiver', options, optionNames);
  checkNumbers('the action receiver', options, { bodyTimeoutMs: [1, longestTimerMs] });
  const { inbox, report, now = Date.now, bodyTimeoutMs = 60_000 } = options;
  const checkToken = createTokenCheck(options.secrets, options.secretPolicy, (reason) =>
    report({ kind: 'secrets-away', reason }),
  );
  const isAllowedSource = createSourceCheck(options.allowedSources);
  const maxBodyBytes = positive(options.maxBodyBytes ?? 5 * mebibyte, 'maxBodyBytes');
  const budget = createByteBudget(positive(options.maxBytesInFlight ?? 64 * mebibyte, 'maxBytesInFlight'));
  const keepRefused = options.keepRefused && createRefusedKeeper(options.keepRefused, bodyTimeoutMs);
  const state = { phase: 'open' as 'open' | 'draining' | 'closed', arrivals: 0, inFlight: 0 };
  let onIdle: (() => void) | undefined;

  /** Until nothing is in flight, or so long. */
  const idle = async (mostMs: number): Promise<void> => {
    if (state.inFlight === 0) return;
    const ended = Promise.withResolvers<void>();
    onIdle = ended.resolve;
    const timer = setTimeout(ended.resolve, mostMs);
    await ended.promise;
    clearTimeout(timer);
  };

  const tooLarge = (): ActionResponse => {
    report({ kind: 'refused', reason: 'too-large', limitBytes: maxBodyBytes });
    return answer(413, { connection: 'close' });
  };

  const store = async (request: ActionRequest): Promise<ActionResponse> => {
    const declared = Number(request.header('content-length') ?? Number.NaN);
    if (declared > maxBodyBytes) return tooLarge();
    // A body of unknown length is counted with the size of a common one.
    const bytes = Number.isNaN(declared) ? 65_536 : declared;
    state.inFlight += 1;
    const waits = budget.reserve(bytes);
    // This runs for every event, and an await costs something even where nobody waits.
    if (waits) await waits;
    try {
      const body = await readInTime(request.readBody(maxBodyBytes), bodyTimeoutMs);
      if (body.kind === 'too-large') return tooLarge();
      if (body.kind === 'slow') {
        report({ kind: 'refused', reason: 'slow', limitMs: bodyTimeoutMs });
        return answer(408, { connection: 'close' });
      }
      if (body.kind === 'aborted') {
        report({ kind: 'refused', reason: 'aborted' });
        return answer(503);
      }
      await inbox.append({
        raw: body.bytes,
        receivedAtMs: now(),
        source: request.source,
        encoding: body.isRebuilt ? undefined : request.header('content-encoding'),
        isRebuilt: body.isRebuilt,
      });
      return state.phase === 'open' ? accepted : answer(202, { connection: 'close' });
    } catch (error) {
      report({ kind: 'unstored', error });
      return answer(503, { 'retry-after': '1', ...(state.phase !== 'open' && { connection: 'close' }) });
    } finally {
      budget.release(bytes);
      state.inFlight -= 1;
      if (state.inFlight === 0) onIdle?.();
    }
  };

  return {
    async receive(request) {
      if (request.method !== 'POST') return answer(405, { allow: 'POST' });
      if (state.phase === 'closed') return answer(503, { connection: 'close' });
      state.arrivals += 1;
      if (!isAllowedSource(request.source)) {
        report({ kind: 'refused', reason: 'source', source: request.source });
        return answer(403, { connection: 'close' });
      }
      const verdict = checkToken(request.header('authorization'));
      if (verdict === 'right') return store(request);
      if (verdict === 'wrong') report({ kind: 'refused', reason: 'token', source: request.source });
      await keepRefused?.(request, now());
      if (verdict === 'unknown') return answer(503, { 'retry-after': '10', connection: 'close' });
      return answer(401, { 'www-authenticate': 'Bearer', connection: 'close' });
    },
    async stop(graceMs) {
      const endMs = performance.now() + graceMs;
      state.phase = 'draining';
      let seen: number;
      do {
        await idle(Math.max(0, endMs - performance.now()));
        seen = state.arrivals;
        await quiet();
      } while ((seen !== state.arrivals || state.inFlight > 0) && performance.now() < endMs);
      state.phase = 'closed';
      await idle(lastWordsMs);
    },
  };
};
