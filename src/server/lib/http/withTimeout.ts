/** What a promise resolves to, or `late` when that takes too long. The promise itself goes on. */
export const withTimeout = <TValue, TLate>(
  promise: PromiseLike<TValue>,
  timeoutMs: number,
  late: TLate,
): Promise<TValue | TLate> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, timeoutMs, late);
    promise.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
