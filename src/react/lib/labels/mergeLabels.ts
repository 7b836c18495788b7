import type { LabelOverrides } from './labels.ts';

/** Merges label overrides; later ones win. An override that is undefined leaves the text as it is. */
export const mergeLabels = <TLabels extends LabelOverrides>(
  base: TLabels,
  ...overrides: readonly (LabelOverrides | undefined)[]
): TLabels => {
  const given = overrides.flatMap((labels) => Object.entries(labels ?? {}).filter(([, text]) => text));
  return { ...base, ...Object.fromEntries(given) };
};
