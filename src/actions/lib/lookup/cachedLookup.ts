/** Options of {@link createCachedLookup}. */
export interface CachedLookupOptions<TValue> {
  /** Finds a value; `undefined` when there is none. A rejection is not remembered. */
  readonly ask: (key: string) => Promise<TValue | undefined>;
  readonly now: () => number;
}

interface Entry<TValue> {
  readonly answer: Promise<TValue | undefined>;
  /** When it is asked again. */
  untilMs: number;
}

const foundMs = 10 * 60_000;
/** Unknown keys come from webhooks; each is asked for once in a while. */
const unknownMs = 60_000;
const maxEntries = 10_000;

/** Remembers answers: ten minutes for what was found, one for what was not. Callers at the same time share one question. */
export const createCachedLookup = <TValue>({ ask, now }: CachedLookupOptions<TValue>) => {
  const entries = new Map<string, Entry<TValue>>();
  return (key: string): Promise<TValue | undefined> => {
    const known = entries.get(key);
    // Bounded from above too, for clocks that are set back.
    if (known && now() < known.untilMs && known.untilMs <= now() + foundMs) return known.answer;
    const entry: Entry<TValue> = { answer: ask(key), untilMs: now() + foundMs };
    entry.answer.then(
      (value) => {
        if (value === undefined) entry.untilMs = now() + unknownMs;
      },
      () => {
        if (entries.get(key) === entry) entries.delete(key);
      },
    );
    // The oldest goes first.
    entries.delete(key);
    for (const oldest of entries.keys()) {
      if (entries.size < maxEntries) break;
      entries.delete(oldest);
    }
    entries.set(key, entry);
    return entry.answer;
  };
};
