/** Says of a number that it never came, or that it may have come: a Bloom filter with one hash. */
export interface KeyFilter {
  add(key: number): void;
  /** `false` is certain. */
  mayHave(key: number): boolean;
}

/** Two mebibytes: with a hundred thousand keys, 1 in 170 new ones is looked up in vain. */
const bits = 2 ** 24;

/** Keys are whole numbers whose last digits are evenly spread, as those of a digest are. */
export const createKeyFilter = (): KeyFilter => {
  const marks = new Uint8Array(bits / 8);
  return {
    add(key) {
      const bit = key % bits;
      marks[bit >>> 3] = (marks[bit >>> 3] ?? 0) | (1 << (bit & 7));
    },
    mayHave(key) {
      const bit = key % bits;
      return ((marks[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0;
    },
  };
};
