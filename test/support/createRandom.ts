/** A random source that is the same for a seed (mulberry32), so that a failure can be reproduced. */
export type Random = ReturnType<typeof createRandom>;

export const createRandom = (seed: number) => {
  let state = seed >>> 0;
  /** From 0 up to 1. */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** A whole number from 0 up to `end`. */
  const below = (end: number) => Math.floor(next() * end);
  const pick = <TValue>(values: readonly [TValue, ...TValue[]]): TValue =>
    values[below(values.length)] ?? values[0];
  return { next, below, pick };
};
