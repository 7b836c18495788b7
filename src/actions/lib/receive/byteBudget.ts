/** A bound on bytes held in memory at once. */
export interface ByteBudget {
  /**
   * Takes the bytes when they fit; otherwise resolves when they do, first come, first served. A single request larger than
   * the whole budget gets through when it is alone.
   */
  reserve(bytes: number): Promise<void> | undefined;
  /** Gives reserved bytes back. */
  release(bytes: number): void;
  readonly inUse: number;
}

/** Makes callers wait instead of rejecting them: an unread socket makes the sender's TCP wait, and nothing is lost. */
export const createByteBudget = (limit: number): ByteBudget => {
  const waiting: { readonly bytes: number; readonly go: () => void }[] = [];
  let inUse = 0;
  const fits = (bytes: number): boolean => inUse === 0 || inUse + bytes <= limit;

  return {
    get inUse() {
      return inUse;
    },
    reserve(bytes) {
      if (waiting.length > 0 || !fits(bytes)) return new Promise((go) => waiting.push({ bytes, go }));
      inUse += bytes;
      return undefined;
    },
    release(bytes) {
      inUse -= bytes;
      for (let next = waiting[0]; next && fits(next.bytes); next = waiting[0]) {
        waiting.shift();
        inUse += next.bytes;
        next.go();
      }
    },
  };
};
