import type { PlanWarning } from './syncPlan.ts';

/** Warnings of a plan: each once, with its count; limited in number. */
export interface Warnings {
  readonly add: (code: PlanWarning['code'], message: string) => void;
  readonly list: () => readonly PlanWarning[];
}

const maxWarnings = 200;

/** Collects warnings. */
export const createWarnings = (): Warnings => {
  const counts = new Map<string, { readonly warning: PlanWarning; count: number }>();
  let more = 0;
  return {
    add: (code, message) => {
      const known = counts.get(message);
      if (known !== undefined) known.count += 1;
      else if (counts.size < maxWarnings) counts.set(message, { warning: { code, message }, count: 1 });
      else more += 1;
    },
    list: () => [
      ...[...counts.values()].map(({ warning, count }) =>
        count === 1 ? warning : { ...warning, message: `${warning.message} (${count} times)` },
      ),
      ...(more === 0 ? [] : [{ code: 'may_be_refused' as const, message: `${more} more warnings.` }]),
    ],
  };
};
