import type { CheckContext } from './createContext.ts';
import type { Effect } from './target.ts';

/** Source of an expectation: the interface's text, or our choice where it is silent. */
export type Basis = 'interface' | 'choice';

interface CheckBase {
  /** Section of interface.md that the check belongs to. */
  readonly section: string;
  /** What must be true, as a sentence. */
  readonly title: string;
  readonly effect: Effect;
  /** Throws a `Difference`, or `NotChecked` if a requirement is missing. */
  run(context: CheckContext): Promise<void>;
}

/** A check of a statement of the interface. */
export interface StatedCheck extends CheckBase {
  readonly basis: 'interface';
  /** Quotes from interface.md, from the check's section unless prefixed (`4.6: words`). */
  readonly quotes: readonly string[];
}

/** A check of our choice where the interface is silent. */
export interface ChosenCheck extends CheckBase {
  readonly basis: 'choice';
  /** First cell of the row in gaps.md. */
  readonly gap: string;
}

/** A check of a service. */
export type Check = StatedCheck | ChosenCheck;

type Body = Pick<CheckBase, 'effect' | 'run'>;

/** Creates a {@link StatedCheck}. */
export const stated = (
  section: string,
  title: string,
  rest: Body & { readonly quotes: readonly string[] },
): StatedCheck => ({ basis: 'interface', section, title, ...rest });

/** Creates a {@link ChosenCheck}. */
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

/** Title of a check for display: the section, the sentence and, for a choice, its gap. */
export const titleOf = (check: Check): string =>
  check.basis === 'interface'
    ? `${check.section} ${check.title}`
    : `${check.section} ${check.title} (our choice: ${check.gap})`;
