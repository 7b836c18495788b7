import type { CheckContext } from './context.ts';
import type { Effect } from './target.ts';

/** Where an expectation comes from: the interface's text, or our choice where that text is silent. */
export type Basis = 'interface' | 'choice';

interface CheckBase {
  /** Section of interface.md that the check belongs to. */
  readonly section: string;
  /** What must be true, as a sentence. */
  readonly title: string;
  readonly effect: Effect;
  /** Throws a `Difference`, or `NotChecked` when what it needs is missing. */
  run(context: CheckContext): Promise<void>;
}

/** A check of what the interface states. */
export interface StatedCheck extends CheckBase {
  readonly basis: 'interface';
  /** Words of interface.md, in the check's section unless named otherwise (`4.6: words`). */
  readonly quotes: readonly string[];
}

/** A check of what we chose where the interface is silent. */
export interface ChosenCheck extends CheckBase {
  readonly basis: 'choice';
  /** First cell of the row in gaps.md. */
  readonly gap: string;
}

/** One thing to find out about a service. */
export type Check = StatedCheck | ChosenCheck;

type Body = Pick<CheckBase, 'effect' | 'run'>;

/** A check of the interface's own words. */
export const stated = (
  section: string,
  title: string,
  rest: Body & { readonly quotes: readonly string[] },
): StatedCheck => ({ basis: 'interface', section, title, ...rest });

/** A check of our choice in a gap. */
export const chosen = (
  section: string,
  title: string,
  rest: Body & { readonly gap: string },
): ChosenCheck => ({
  basis: 'choice',
  section,
  title,
  ...rest,
});

/** Title of a check wherever it is shown: the section, the sentence and, for a choice, which gap it fills. */
export const titleOf = (check: Check): string =>
  check.basis === 'interface'
    ? `${check.section} ${check.title}`
    : `${check.section} ${check.title} (our choice: ${check.gap})`;
