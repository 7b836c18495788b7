import { VitrineOptionsError, type WebhookAnswer, type WebhookRequest } from '@vitrine/server';
import { checkNumbers, checkOptions, longestTimerMs, type OptionNames } from '@vitrine/server/internal';
import { askWithin } from '../askWithin.ts';
import type { OnDiagnostic } from '../diagnostics.ts';
import type { ActionInbox } from '../inbox/actionInbox.ts';
import { createByteBudget } from './byteBudget.ts';
import { createRejectedKeeper, type KeepRejectedOptions } from './rejectedBodies.ts';
import { createSourceCheck } from './sourceCheck.ts';
import { createTokenCheck } from './tokenCheck.ts';
import type { SecretPolicy, WebhookSecrets } from './webhookSecrets.ts';

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
   * Keeps the bodies of deliveries whose token was rejected, so that a token changed on one side alone costs none: fix the
   * secrets, then `vitrine actions accept <folder>`. Anybody can fill it, so it is small. Default: nothing is kept.
   */
  readonly keepRejected?: KeepRejectedOptions;
  /** Largest body, in bytes; a larger one is rejected with 413 and reported. Default: 5 MiB. */
  readonly maxBodyBytes?: number;
  /** Bytes of bodies held in memory at once; beyond it sockets are left unread. Default: 64 MiB. */
  readonly maxBytesInFlight?: number;
  /**
   * Longest time a body may take to arrive once it is read, in milliseconds; a slower one is rejected with 408 and reported,
   * because what it declared is held for it in `maxBytesInFlight`. Default: 1 minute.
   */
  readonly bodyTimeoutMs?: number;
  /** Called for rejected and unstored deliveries. */
  readonly onDiagnostic: OnDiagnostic;
  /** The present moment in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/** Takes webhook deliveries. */
export interface ActionReceiver {
  receive(request: WebhookRequest): Promise<WebhookAnswer>;
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
  keepRejected: true,
  maxBodyBytes: true,
  maxBytesInFlight: true,
  bodyTimeoutMs: true,
  onDiagnostic: true,
  now: true,
};

const mebibyte = 1024 * 1024;
/** For bodies that are on their way when the time is up. */
const graceForBodiesMs = 1000;
/** A request that was sent before its sender knew of the end arrives within this time. */
const quietMs = 100;
/** Accepting a connection and reading its first bytes are two turns of the event loop. */
const turns = 3;

/** So much time, and then turns of the loop: after a hold-up its timers run before what has arrived is read. */
const quiet = async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, quietMs));
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

const answer = (status: WebhookAnswer['status'], headers: WebhookAnswer['headers'] = {}): WebhookAnswer => ({
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
 * Creates the receiver of Action Task webhooks (docs/interface.md#6.1). The sender never retries, so after the token nothing is
 * checked: the bytes are stored durably, then acknowledged, and parsed only then.
 *
 * @throws VitrineOptionsError: `missing_options`, `unknown_option`, `missing_webhook_secret`, `invalid_webhook_secret`, `webhook_secret_too_short`, `invalid_allowed_sources`,
 * `invalid_byte_limit`, `invalid_action_option`.
 */
export const createActionReceiver = (options: ActionReceiverOptions): ActionReceiver => {
  checkOptions('The action receiver', options, optionNames);
  checkNumbers('the action receiver', options, { bodyTimeoutMs: [1, longestTimerMs] });
  const { inbox, onDiagnostic, now = Date.now, bodyTimeoutMs = 60_000 } = options;
  const checkToken = createTokenCheck(options.secrets, options.secretPolicy, (reason) =>
    onDiagnostic({ kind: 'secrets-unavailable', reason }),
  );
  const isAllowedSource = createSourceCheck(options.allowedSources);
  const maxBodyBytes = positive(options.maxBodyBytes ?? 5 * mebibyte, 'maxBodyBytes');
  const budget = createByteBudget(positive(options.maxBytesInFlight ?? 64 * mebibyte, 'maxBytesInFlight'));
  const keepRejected = options.keepRejected && createRejectedKeeper(options.keepRejected, bodyTimeoutMs);
  const state = {
    phase: 'open' as 'open' | 'draining' | 'closed',
    arrivals: 0,
    inFlight: 0,
    hasWarned: false,
  };
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

  const tooLarge = (): WebhookAnswer => {
    onDiagnostic({ kind: 'rejected', reason: 'too-large', limitBytes: maxBodyBytes });
    return answer(413, { connection: 'close' });
  };

  const readInTime = (request: WebhookRequest) =>
    askWithin(bodyTimeoutMs, 'The body', () =>
      request.readBody(maxBodyBytes).catch((error: unknown) => ({ kind: 'failed', error }) as const),
    ).catch(() => ({ kind: 'slow' }) as const);

  const store = async (request: WebhookRequest): Promise<WebhookAnswer> => {
    const declared = Number(request.header('content-length') ?? Number.NaN);
    if (declared > maxBodyBytes) return tooLarge();
    // A body of unknown length is counted with the size of a common one.
    const bytes = Number.isNaN(declared) ? 65_536 : declared;
    state.inFlight += 1;
    const waits = budget.reserve(bytes);
    // This runs for every event, and an await costs something even when nobody is waiting.
    if (waits) await waits;
    try {
      const body = await readInTime(request);
      if (body.kind === 'failed') throw body.error;
      if (body.kind === 'too-large') return tooLarge();
      if (body.kind === 'slow') {
        onDiagnostic({ kind: 'rejected', reason: 'slow', limitMs: bodyTimeoutMs });
        return answer(408, { connection: 'close' });
      }
      if (body.kind === 'aborted') {
        onDiagnostic({ kind: 'rejected', reason: 'aborted' });
        return answer(503);
      }
      if (body.wasParsed && !state.hasWarned) {
        state.hasWarned = true;
        onDiagnostic({ kind: 'body-parsed-before' });
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
      onDiagnostic({ kind: 'unstored', error });
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
        onDiagnostic({ kind: 'rejected', reason: 'source', source: request.source });
        return answer(403, { connection: 'close' });
      }
      const authorization = request.header('authorization');
      const tokenState = checkToken(authorization);
      if (tokenState === 'right') return store(request);
      const { source } = request;
      const isMissing = authorization === undefined;
      if (tokenState === 'wrong') onDiagnostic({ kind: 'rejected', reason: 'token', source, isMissing });
      await keepRejected?.(request, now());
      if (tokenState === 'unknown') return answer(503, { 'retry-after': '10', connection: 'close' });
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
      await idle(graceForBodiesMs);
    },
  };
};
