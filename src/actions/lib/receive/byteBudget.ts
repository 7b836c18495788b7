/**
 * A bound on bytes held in memory at once. It makes callers wait instead of rejecting them: an unread socket makes the
 * sender's TCP wait, and nothing is lost.
 */
export const createByteBudget = (limit: number) => {
  const waiting: { readonly bytes: number; readonly go: () => void }[] = [];
  let inUse = 0;
  const fits = (bytes: number): boolean => inUse === 0 || inUse + bytes <= limit;

  return {
    /** Takes the bytes at once, or in turn when they fit. One request larger than the whole budget gets through alone. */
    reserve(bytes: number): Promise<void> | undefined {
      if (waiting.length > 0 || !fits(bytes)) return new Promise((go) => waiting.push({ bytes, go }));
      inUse += bytes;
      return undefined;
    },
    release(bytes: number): void {
      inUse -= bytes;
      for (let next = waiting[0]; next && fits(next.bytes); next = waiting[0]) {
        waiting.shift();
        inUse += next.bytes;
        next.go();
      }
    },
  };
};
