/**
 * A limit on bytes in memory. Callers wait instead of being rejected: an unread socket makes the sender's TCP wait, and
 * nothing is lost.
 */
export const createByteBudget = (limit: number) => {
  const waiting: { readonly bytes: number; readonly go: () => void }[] = [];
  let inUse = 0;
  const fits = (bytes: number): boolean => inUse === 0 || inUse + bytes <= limit;

  return {
    /** Reserves the bytes now, or in turn once they fit. A request larger than the whole budget runs alone. */
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
