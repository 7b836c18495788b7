import { type EmbedKey, maxKeyLifetimeMs, minKeyLifetimeMs } from '@vitrine/contract';
import { EmbedError } from '../errors/embedError.ts';
import { canRecover } from '../errors/errorKind.ts';
import type { Environment } from './environment.ts';
import type { Pulse } from './pulse.ts';
import { retryDelayMs } from './retryDelay.ts';

/** Where keys are cached and asked for. React Query stands behind it. */
export interface KeySource {
  /** The newest key in the cache, and when it was asked for on the pulse's clock. */
  readonly read: () => BornKey | undefined;
  /** Asks for a new key. Settles when the cache has it, or rejects with an {@link EmbedError}. */
  readonly request: () => Promise<unknown>;
  /** Gives up the request under way. */
  readonly cancel: () => void;
  /** Calls back when the cache has changed. The end of the watch takes the key out of the cache: it has been used. */
  readonly watch: (listener: () => void) => () => void;
}

/** A key with the moment its request left. */
export interface BornKey {
  readonly value: EmbedKey;
  readonly bornAt: number;
}

/** A key with its dates, on the pulse's clock. */
export interface HeldKey extends BornKey {
  /** From here on a new key is wanted. Random, so that viewers who came together do not come back together. */
  readonly refreshAt: number;
  /** From here on the key opens nothing. */
  readonly endsAt: number;
}

/** Keeps one key for everybody on the page who shows the same item through the same endpoint. */
export interface KeyKeeper {
  /** The newest key, also when it has ended. */
  readonly key: () => HeldKey | undefined;
  /** Why the last request failed; undefined after a success. */
  readonly error: () => EmbedError | undefined;
  /** Holds the key for a user; returns the release. After the last release the key is gone. */
  readonly use: () => () => void;
  /** Asks for a new key when one is wanted and may be asked for; answers in how many milliseconds to call again. */
  readonly tend: (isWanted: boolean, isWake: boolean) => number;
  /** Asks for a new key whatever the last answer was, as soon as one may be asked for. */
  readonly renew: () => void;
}

const earliestRefresh = 0.7;
const latestRefresh = 0.9;
const minMsBetweenKeys = 10_000;
const minMsBetweenAttempts = 1_000;
const minMsBetweenWakes = 60_000;
const attemptTimeoutMs = 10_000;
/** A person who presses Retry is heard at once; a host that calls `refresh` from `onError` may not do so for ever. */
const maxForcedInARow = 7;
const pauseAfterManyMs = 30_000;

/** Creates a {@link KeyKeeper}. Nothing happens until somebody uses it. */
export const createKeyKeeper = (
  source: KeySource,
  pulse: Pulse,
  { random, isVisible }: Environment,
): KeyKeeper => {
  let users = 0;
  let unwatch: (() => void) | undefined;
  let held: HeldKey | undefined;
  let error: EmbedError | undefined;
  /** The request under way. Whatever comes of an earlier one is too late. */
  let request: Promise<unknown> | undefined;
  let failures = 0;
  let draw = 0;
  let attemptedAt = -minMsBetweenAttempts;
  let wokenAt = -minMsBetweenWakes;
  let isForced = false;

  /** Takes over what the cache has, unless it is older than what is held. */
  const key = () => {
    const born = source.read();
    if (!born || born.value === held?.value || (held && born.bornAt < held.bornAt)) return held;
    const { bornAt, value } = born;
    const lifetimeMs = Math.min(Math.max(value.lifetimeMs, minKeyLifetimeMs), maxKeyLifetimeMs);
    const share = earliestRefresh + random() * (latestRefresh - earliestRefresh);
    held = { value, bornAt, refreshAt: bornAt + lifetimeMs * share, endsAt: bornAt + lifetimeMs };
    error = undefined;
    failures = 0;
    isForced = false;
    return held;
  };

  const settle = (failure?: EmbedError) => {
    request = undefined;
    key();
    if (failure) {
      error = failure;
      failures += 1;
      draw = random();
      isForced = false;
    }
    pulse.beat();
  };

  const ask = () => {
    const mine = source.request();
    request = mine;
    mine.then(
      () => mine === request && settle(),
      (cause: unknown) =>
        mine === request &&
        settle(cause instanceof EmbedError ? cause : new EmbedError('backend_unreachable', String(cause))),
    );
  };

  /** Milliseconds to wait after a failure: for ever, when only a person can help. */
  const pauseMs = ({ kind, retryAfterMs }: EmbedError, now: number) => {
    if (!canRecover(kind)) return Infinity;
    const isGood = held && now < held.endsAt && held.bornAt > pulse.doubtedAt();
    return retryDelayMs({ failures, draw, retryAfterMs, isUrgent: isVisible() && !isGood });
  };

  /** When the next request may leave. */
  const nextAttemptAt = (now: number) =>
    Math.max(
      attemptedAt + Math.max(minMsBetweenAttempts, error && !isForced ? pauseMs(error, now) : 0),
      isForced && failures > maxForcedInARow ? attemptedAt + pauseAfterManyMs : 0,
      held ? held.bornAt + minMsBetweenKeys : 0,
    );

  const tend = (isWanted: boolean, isWake: boolean): number => {
    const now = pulse.now();
    if (request) {
      const leftMs = attemptedAt + attemptTimeoutMs - now;
      if (leftMs > 0) return leftMs;
      source.cancel();
      settle(new EmbedError('backend_timeout', 'The backend did not answer in time.'));
    }
    if (isWake && error && now - wokenAt >= minMsBetweenWakes) {
      wokenAt = now;
      failures = 0;
      isForced = true;
    }
    if (!isWanted && !isForced) return Infinity;
    const waitMs = nextAttemptAt(now) - now;
    if (waitMs > 0) return waitMs;
    attemptedAt = now;
    ask();
    return attemptTimeoutMs;
  };

  return {
    key,
    error: () => error,
    use: () => {
      users += 1;
      unwatch ??= source.watch(() => pulse.beat());
      return () => {
        users -= 1;
        // StrictMode and a move within the page take a user away and bring it back in the same task.
        queueMicrotask(() => {
          if (users) return;
          unwatch?.();
          unwatch = request = held = error = undefined;
          isForced = false;
        });
      };
    },
    tend,
    renew: () => {
      isForced = true;
      error = undefined;
      pulse.beat();
    },
  };
};
