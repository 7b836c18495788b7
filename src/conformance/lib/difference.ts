import type { Answer } from './send.ts';

/** A service does not behave as a check expects. */
export class Difference extends Error {
  override readonly name = 'Difference';
  readonly expected: string;
  readonly seen: string;

  constructor(expected: string, seen: string) {
    super(`expected ${expected}; seen: ${seen}`);
    this.expected = expected;
    this.seen = seen;
  }
}

/** A requirement of a check is missing (too few rows, no second tenant), so it has no result. */
export class NotChecked extends Error {
  override readonly name = 'NotChecked';
}

/** Describes a value as text, for the results; what is too long is cut there, after secrets were masked. */
export const describe = (seen: unknown): string =>
  typeof seen === 'string' ? seen : (JSON.stringify(seen) ?? String(seen));

/** Describes an answer as text, for the results. */
export const describeAnswer = ({ status, text }: Answer): string =>
  `status ${status}, ${describe(text || 'no body')}`;

/** Throws a {@link Difference} unless the condition holds. */
export function must(holds: boolean, expected: string, seen: unknown): asserts holds {
  if (!holds) throw new Difference(expected, describe(seen));
}

/** Ends a check without a result unless a requirement is met. */
export function need(holds: boolean, reason: string): asserts holds {
  if (!holds) throw new NotChecked(reason);
}

/** A value that a check needs; without it, the check has no result. */
export const needed = <TValue>(value: TValue | undefined, what: string): TValue => {
  need(value !== undefined, `needs ${what}`);
  return value;
};
