/** Middle value and spread of one series of measurements. */
export interface Summary {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

/** Percentile of a series by nearest rank, so always a measured value. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const index = Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1));
  return sorted[index] ?? Number.NaN;
};

/** Median; for an even count, the mean of the middle two. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
};

export const summarize = (values: readonly number[]): Summary => ({
  median: median(values),
  lowest: Math.min(...values),
  highest: Math.max(...values),
});

/** Median of the ratios of two series measured in the same rounds. Pairing by round cancels load that affects both. */
export const pairedRatio = (values: readonly number[], baseline: readonly number[]): number =>
  median(
    values.flatMap((value, round) => {
      const base = baseline[round];
      return base === undefined ? [] : [value / base];
    }),
  );

/** Shuffles items, so that no design always runs after the same one. */
export const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
