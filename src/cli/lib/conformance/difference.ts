import type { Answer } from './send.ts';

/** A service behaved otherwise than a check expects. */
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

/** What a check needs is not there (too few rows, no second tenant): nothing is said about the service. */
export class NotChecked extends Error {
  override readonly name = 'NotChecked';
}

const longestSeen = 400;

/** A short text of anything seen, for a report. */
export const describe = (seen: unknown): string => {
  const text = typeof seen === 'string' ? seen : (JSON.stringify(seen) ?? String(seen));
  return text.length > longestSeen ? `${text.slice(0, longestSeen)}…` : text;
};

/** A short text of an answer, for a report. */
export const describeAnswer = ({ status, text }: Answer): string =>
  `status ${status}, ${describe(text || 'no body')}`;

/** Throws a {@link Difference} unless the condition holds. */
export function must(holds: boolean, expected: string, seen: unknown): asserts holds {
  if (!holds) throw new Difference(expected, describe(seen));
}

/** Ends a check without a result unless what it needs is there. */
export function need(holds: boolean, reason: string): asserts holds {
  if (!holds) throw new NotChecked(reason);
}
