/** A random source that is the same for a seed (mulberry32), so that a failure can be reproduced. */
export interface Random {
  /** From 0 up to 1. */
  readonly next: () => number;
  /** A whole number from 0 up to `end`. */
  readonly below: (end: number) => number;
  readonly pick: <TValue>(values: readonly [TValue, ...TValue[]]) => TValue;
}

export const createRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return { next, below, pick: (values) => values[below(values.length)] ?? values[0] };
};
