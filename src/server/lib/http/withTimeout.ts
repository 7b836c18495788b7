/** Resolves to a promise's value, or to `late` after a time limit. The promise itself continues. */
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
