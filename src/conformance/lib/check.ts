import type { CheckContext } from './createContext.ts';
import type { Effect } from './target.ts';

/** A check of a statement of the interface. */
export interface Check {
  /** The section of docs/interface.md, and what must be true, as a sentence. */
  readonly title: string;
  readonly effect: Effect;
  /** The sentence or table row that it comes from, of the title's section unless prefixed (`4.6: words`). */
  readonly quote: string;
  /** Throws a `Difference`, or `NotChecked` if a requirement is missing. */
  run(context: CheckContext): void | Promise<void>;
}

const withEffect =
  (effect: Effect) =>
  (title: string, quote: string, run: Check['run']): Check => ({ title, effect, quote, run });

export const reads = withEffect('read');
export const mints = withEffect('mint');
export const writes = withEffect('write');
