/** What the page itself noticed of a time in which it did not run. */
export interface Wake {
  /** Milliseconds for which nothing ran. */
  readonly asleepMs: number;
  /** Whether the key that had been in sight ended meanwhile. */
  readonly hadEnded: boolean;
  /** Milliseconds from the first sign of life to the moment when no ended key was in sight; undefined while one is. */
  staleMs: number | undefined;
}

interface Birth {
  readonly at: number;
  readonly lifeMs: number;
}

/** A page's own record of the keys that a person can see. */
export interface KeyRecord {
  /** Fetches, and notes when each key was asked for. */
  readonly fetch: typeof fetch;
  readonly wakes: readonly Wake[];
  /** How much of the life of the key in sight has passed, from 0 to 1 and beyond; undefined when none is in sight. */
  readonly age: () => number | undefined;
}

const lookEveryMs = 10;
/** Nothing but a stop of the whole browser lasts so long. */
const shortestSleepMs = 1_000;

/** Looks at the page a hundred times a second, on true time. `speed` is how much faster the report's time runs. */
export const recordVisibleKeys = (speed: number): KeyRecord => {
  const births = new Map<string, Birth>();
  const wakes: Wake[] = [];

  const inSight = () => {
    const frame = [...document.querySelectorAll('iframe')].find(
      (element) => getComputedStyle(element).visibility === 'visible',
    );
    return births.get(new URL(frame?.src || 'about:blank').searchParams.get('ev') ?? '');
  };
  const ageOf = (birth: Birth | undefined) => birth && (Date.now() - birth.at) / birth.lifeMs;
  const hasEnded = (birth: Birth | undefined) => (ageOf(birth) ?? 0) > 1;

  let lookedAt = Date.now();
  let wokenAt = 0;
  let seen: Birth | undefined;
  setInterval(() => {
    const now = Date.now();
    const asleepMs = now - lookedAt;
    lookedAt = now;
    if (asleepMs > shortestSleepMs) {
      wokenAt = now;
      wakes.push({ asleepMs, hadEnded: hasEnded(seen), staleMs: undefined });
    }
    seen = inSight();
    const wake = wakes.at(-1);
    if (wake && !hasEnded(seen)) wake.staleMs ??= now - wokenAt;
  }, lookEveryMs);

  return {
    wakes,
    age: () => ageOf(inSight()),
    fetch: async (...call) => {
      const at = Date.now();
      const response = await fetch(...call);
      const { key, lifetimeMs } = await response.clone().json();
      births.set(key, { at, lifeMs: lifetimeMs / speed });
      return response;
    },
  };
};
