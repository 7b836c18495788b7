/** Middle value, spread and count of one series of measurements. */
export interface Summary {
  readonly median: number;
  readonly p90: number;
  readonly lowest: number;
  readonly highest: number;
  readonly count: number;
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
  p90: quantile(values, 0.9),
  lowest: Math.min(...values),
  highest: Math.max(...values),
  count: values.length,
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
export const shuffled = <T>(items: readonly T[]): T[] => {
  const copy = [...items];
  for (let last = copy.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    const [a, b] = [copy[last] as T, copy[other] as T]; // both indices lie inside the array
    copy[last] = b;
    copy[other] = a;
  }
  return copy;
};
