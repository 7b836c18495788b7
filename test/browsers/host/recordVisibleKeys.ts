/** What the page recorded about a time in which it did not run. */
export interface Wake {
  /** Whether the visible key expired in the meantime. */
  readonly hadEnded: boolean;
  /** Milliseconds from the first activity to the moment when no expired key was visible; undefined while one is. */
  staleMs: number | undefined;
}

interface Birth {
  readonly at: number;
  readonly lifeMs: number;
}

const lookEveryMs = 10;
/** Only a stop of the whole browser lasts that long. */
const shortestSleepMs = 1_000;

/** Checks the page a hundred times per second of real time. `speed` is how much faster the page's time runs later. */
export const recordVisibleKeys = (speed: number) => {
  const births = new Map<string, Birth>();
  const wakes: Wake[] = [];
  const now = Date.now.bind(Date);

  const inSight = () => {
    const frame = [...document.querySelectorAll('iframe')].find(
      (element) => getComputedStyle(element).visibility === 'visible',
    );
    return births.get(new URL(frame?.src || 'about:blank').searchParams.get('ev') ?? '');
  };
  const ageOf = (birth: Birth | undefined) => birth && (now() - birth.at) / birth.lifeMs;
  const hasEnded = (birth: Birth | undefined) => (ageOf(birth) ?? 0) > 1;

  let lookedAt = now();
  let wokenAt = 0;
  let seen: Birth | undefined;
  setInterval(() => {
    const date = now();
    const asleepMs = date - lookedAt;
    lookedAt = date;
    if (asleepMs > shortestSleepMs) {
      wokenAt = date;
      wakes.push({ hadEnded: hasEnded(seen), staleMs: undefined });
    }
    seen = inSight();
    const wake = wakes.at(-1);
    if (wake && !hasEnded(seen)) wake.staleMs ??= date - wokenAt;
  }, lookEveryMs);

  return {
    wakes,
    /** The elapsed share of the visible key's lifetime, from 0 to 1 and above; undefined when none is visible. */
    age: () => ageOf(inSight()),
    /** Fetches, and records when each key was requested. */
    fetch: async (...call: Parameters<typeof fetch>) => {
      const at = now();
      const response = await fetch(...call);
      const { key, lifetimeMs } = await response.clone().json();
      births.set(key, { at, lifeMs: lifetimeMs / speed });
      return response;
    },
  };
};
