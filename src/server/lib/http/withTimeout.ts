/** What a promise resolves to, or `late` when that takes too long. The promise itself goes on. */
export const withTimeout = async <TValue, TLate>(
  promise: Promise<TValue>,
  timeoutMs: number,
  late: TLate,
): Promise<TValue | TLate> => {
  const { promise: timeout, resolve } = Promise.withResolvers<TLate>();
  const timer = setTimeout(resolve, timeoutMs, late);
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
};
