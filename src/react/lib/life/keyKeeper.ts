import type { QueryClient } from '@tanstack/react-query';
import { maxKeyLifetimeMs, minKeyLifetimeMs } from '@vitrine/contract';
import { EmbedError } from '../errors/embedError.ts';
import { isVerdict } from '../errors/errorKind.ts';
import type { EmbedKeyQuery } from '../keys/embedKeyOptions.ts';
import type { CachedKey } from '../keys/keyRequest.ts';
import type { Environment } from './environment.ts';
import { calmPauseMs, retryDelayMs, urgentPauseMs } from './retryDelay.ts';

/** A key with its dates, on the keeper's clock. */
export interface HeldKey extends CachedKey {
  /** When its request left. */
  readonly bornAt: number;
  /** From here on a new key is wanted. Random, so that viewers who came together do not come back together. */
  readonly refreshAt: number;
  /** From here on the key opens nothing. */
  readonly endsAt: number;
  /** Says that the page's policy keeps frames with this key from showing anything. */
  blocked?: EmbedError;
}

/**
 * Somebody who shows a report with the key: sees what has become of it and whether it is time for a new one, and says when
 * to look again. What has passed does not count.
 */
export type Look = (now: number, held: HeldKey | undefined, isDue: boolean) => readonly number[];

/** Keeps one key for everybody on the page who shows the same item through the same endpoint. */
export interface KeyKeeper {
  readonly environment: Environment;
  /** Milliseconds that have passed, never fewer than really did. To be read every now and then. */
  readonly now: () => number;
  /** The newest key, also when it has ended; undefined before the first one and after a refusal. */
  readonly key: () => HeldKey | undefined;
  /** Why the last request failed; undefined after a success. */
  readonly error: () => EmbedError | undefined;
  /** Has the key kept for as long as there is such a look; returns its removal. After the last one the key is gone. */
  readonly add: (look: Look) => () => void;
  /** Takes every look at the end of the present task: once, however many ask for it. */
  readonly beat: () => void;
  /** Asks for a new key when one is wanted and may be asked for; answers when to come again. Part of every look. */
  readonly tend: (now: number, isKeyWanted: boolean, query: EmbedKeyQuery) => number;
  /** Asks for a new key whatever the last answer was, as soon as one may be asked for. */
  readonly renew: () => void;
}

/** Clocks that differ by less than this since the last reading agree. */
const toleranceMs = 30_000;

const earliestRefresh = 0.7;
const refreshSpread = 0.2;
const minMsBetweenKeys = 10_000;
const minMsBetweenAttempts = 1_000;
const attemptTimeoutMs = 10_000;

/** A person who presses Retry is heard at once; a host that calls `refresh` from `onError` is not for ever. */
const manyFailures = 7;

/** A throttled or suspended timer is noticed this soon after it can run again. */
const longestSleepMs = 30_000;

/** No answer of a look can make a page spin. */
const shortestSleepMs = 50;

// No `unload` or `beforeunload`: they would keep the page out of the back/forward cache.
const wakeEvents = ['pageshow', 'focus', 'online', 'resume', 'visibilitychange'];

/**
 * Creates a {@link KeyKeeper}. Nothing happens until somebody looks. React Query holds the key: what loaders, prefetching
 * and hydration put there is found, and asked for once.
 */
export const createKeyKeeper = (
  client: QueryClient,
  { queryKey }: EmbedKeyQuery,
  environment: Environment = globalThis,
): KeyKeeper => {
  const looks = new Set<Look>();
  let timer: unknown;
  let isBeating = false;

  let elapsed = 0;
  let monotonic = environment.performance.now();
  let wall = environment.Date.now();

  let held: HeldKey | undefined;
  /** The clocks leave it in doubt how old the key is. */
  let isInDoubt = false;
  /** The request under way. Whatever comes of an earlier one is too late. */
  let request: Promise<unknown> | undefined;
  let attemptedAt = -Infinity;
  /** Somebody wants a new key whatever the last answer was. */
  let isForced = false;
  let error: EmbedError | undefined;
  let failures = 0;
  let draw = 0;

  /**
   * At each reading the larger of the two clocks' steps is added. That survives sleep (the monotonic clock may stop) and a
   * clock set back (the wall clock jumps); a clock set forward makes keys look older than they are, which costs one spare
   * request. When the clocks are found to disagree, there was a sleep or a change of the time, and a sleep with a change
   * of the time inside it cannot be measured.
   */
  const now = () => {
    const monotonicStep = environment.performance.now() - monotonic;
    const wallStep = environment.Date.now() - wall;
    monotonic += monotonicStep;
    wall += wallStep;
    elapsed += Math.max(0, monotonicStep, wallStep);
    isInDoubt ||= Math.abs(wallStep - monotonicStep) > toleranceMs;
    return elapsed;
  };

  const beat = () => {
    if (!isBeating) queueMicrotask(lookAround);
    isBeating = true;
  };

  const lookAround = () => {
    isBeating = false;
    const date = now();
    const newest = key();
    const isDue = isInDoubt || !newest || date >= newest.refreshAt;
    const dates = [...looks].flatMap((look) => look(date, newest, isDue));
    const sleeps = dates.map((one) => one - date).filter((ms) => ms > 0);
    // It is what `setTimeout` gave.
    environment.clearTimeout(timer as never);
    if (!looks.size) return;
    const sleepMs = Math.max(shortestSleepMs, Math.min(longestSleepMs, ...sleeps));
    timer = environment.setTimeout(lookAround, sleepMs);
  };

  /** Whoever comes back need not wait, unless somebody has just asked. */
  const wake = (event: Event) => {
    // What a machine sleeps can be hidden by a change of the time meanwhile, however well the clocks agree.
    isInDoubt ||= event.type === 'resume';
    isForced ||= !!error && now() > attemptedAt + attemptTimeoutMs;
    beat();
  };

  /**
   * A frame that the page's policy has blocked may be one with this key. Browsers name its origin alone, or its whole
   * address where it is one of the page's own.
   */
  const onViolation = (event: Event) => {
    // The type says which event it is.
    const { effectiveDirective, disposition, blockedURI } = event as SecurityPolicyViolationEvent;
    if (!held || effectiveDirective !== 'frame-src' || disposition !== 'enforce') return;
    const { origin } = new URL(held.tenantUrl);
    if (`${blockedURI}/`.startsWith(`${origin}/`)) held.blocked = new EmbedError('frame_blocked', { origin });
    beat();
  };

  const listen = (how: 'addEventListener' | 'removeEventListener') => {
    for (const type of wakeEvents) environment[how](type, wake, true);
    environment[how]('securitypolicyviolation', onViolation, true);
  };

  /** Takes over what the cache has. */
  const key = () => {
    const data = client.getQueryData<CachedKey>(queryKey);
    if (!data || data.askedAt === held?.askedAt) return held;
    isInDoubt = false;
    // What the clocks did since then is not known; the reading below finds out whether they agree.
    const bornAt = now() - Math.max(0, environment.Date.now() - (data.askedAt || 0));
    const lifetimeMs = Math.min(Math.max(data.lifetimeMs, minKeyLifetimeMs), maxKeyLifetimeMs);
    const share = earliestRefresh + environment.Math.random() * refreshSpread;
    held = { ...data, bornAt, refreshAt: bornAt + lifetimeMs * share, endsAt: bornAt + lifetimeMs };
    failures = 0;
    error = undefined;
    isForced = false;
    return held;
  };

  /** Ends the request under way. Whoever shows a report holds its key, whatever the cache has. */
  const giveUp = () => client.removeQueries({ queryKey });

  /** Takes the key away. */
  const forget = () => {
    giveUp();
    request = held = error = undefined;
  };

  const settle = (failure?: EmbedError) => {
    request = undefined;
    key();
    if (failure) {
      if (isVerdict(failure.kind)) forget();
      error = failure;
      failures += 1;
      draw = environment.Math.random();
    }
    beat();
  };

  /** Milliseconds to wait between two requests: for ever, when only a person can help. */
  const pauseMs = (date: number) => {
    if (held && !failures) return minMsBetweenKeys;
    if (isForced || !error) return failures > manyFailures ? urgentPauseMs : minMsBetweenAttempts;
    const { kind, retryAfterMs = 0 } = error;
    if (isVerdict(kind) || kind === 'misconfigured') return Infinity;
    const isGood = held && date < held.endsAt && !isInDoubt;
    const capMs = environment.document.hidden || isGood ? calmPauseMs : urgentPauseMs;
    return Math.max(retryDelayMs(failures, capMs, draw), Math.min(retryAfterMs, calmPauseMs));
  };

  const tend = (date: number, isKeyWanted: boolean, query: EmbedKeyQuery) => {
    if (request) {
      const timeoutAt = attemptedAt + attemptTimeoutMs;
      if (date < timeoutAt) return timeoutAt;
      giveUp();
      settle(new EmbedError('backend_timeout'));
    }
    if (!isKeyWanted && !isForced) return Infinity;
    const nextAttemptAt = attemptedAt + pauseMs(date);
    if (date < nextAttemptAt) return nextAttemptAt;
    attemptedAt = date;
    // Whoever asks from here on wants more than what this one brings, should it fail.
    isForced = false;
    const mine = client.fetchQuery({ ...query, staleTime: 0, gcTime: Infinity }).then(
      () => undefined,
      (cause: unknown) =>
        cause instanceof EmbedError ? cause : new EmbedError('backend_unreachable', { cause }),
    );
    request = mine;
    void mine.then((failure) => mine === request && settle(failure));
    return date + attemptTimeoutMs;
  };

  return {
    environment,
    now,
    key,
    error: () => error,
    beat,
    add: (look) => {
      listen('addEventListener');
      looks.add(look);
      beat();
      return () => {
        looks.delete(look);
        // StrictMode and a move within the page take a look away and bring it back in the same task.
        queueMicrotask(() => {
          if (looks.size) return;
          listen('removeEventListener');
          environment.clearTimeout(timer as never);
          forget();
        });
      };
    },
    tend,
    renew: () => {
      isForced = true;
      error = undefined;
      beat();
    },
  };
};
