import type { CheckContext } from './createContext.ts';
import type { Effect } from './target.ts';

/** A check of statements of the interface. */
export interface Check {
  /** The section of docs/interface.md, and what must be true, as a sentence. */
  readonly title: string;
  readonly effect: Effect;
  /** Sentences and table rows of the interface, from the title's section unless prefixed (`4.6: words`). */
  readonly quotes: readonly string[];
  /** Throws a `Difference`, or `NotChecked` if a requirement is missing. */
  run(context: CheckContext): void | Promise<void>;
}

const withEffect =
  (effect: Effect) =>
  (title: string, quotes: readonly string[], run: Check['run']): Check => ({ title, effect, quotes, run });

export const reads = withEffect('read');
export const mints = withEffect('mint');
export const writes = withEffect('write');
export const acts = withEffect('act');
