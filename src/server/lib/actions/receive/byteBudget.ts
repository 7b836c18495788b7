/** A bound on bytes held in memory at once. */
export interface ByteBudget {
  /**
   * Resolves when the bytes fit; first come, first served. The result gives them back and may be called once.
   * A single request larger than the whole budget gets through when it is alone.
   */
  reserve(bytes: number): Promise<() => void>;
  readonly inUse: number;
}

/** Makes callers wait instead of refusing them: an unread socket makes the sender's TCP wait, and nothing is lost. */
export const createByteBudget = (limit: number): ByteBudget => {
  const waiting: { readonly bytes: number; readonly go: () => void }[] = [];
  let inUse = 0;

  const admit = (): void => {
    for (let next = waiting[0]; next && (inUse === 0 || inUse + next.bytes <= limit); next = waiting[0]) {
      waiting.shift();
      inUse += next.bytes;
      next.go();
    }
  };

  return {
    get inUse() {
      return inUse;
    },
    async reserve(bytes) {
      if (waiting.length === 0 && (inUse === 0 || inUse + bytes <= limit)) inUse += bytes;
      else await new Promise<void>((go) => waiting.push({ bytes, go }));
      return () => {
        inUse -= bytes;
        admit();
      };
    },
  };
};
