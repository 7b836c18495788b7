import type { LabelOverrides } from './labels.ts';

/** Merges label overrides; later ones win. An undefined override keeps the text. */
export const mergeLabels = <TLabels extends LabelOverrides>(
  base: TLabels,
  ...overrides: readonly (LabelOverrides | undefined)[]
): TLabels => {
  const given = overrides.flatMap((labels) => Object.entries(labels ?? {}).filter(([, text]) => text));
  return { ...base, ...Object.fromEntries(given) };
};
