/** Waits so long for an answer, in milliseconds. One that never comes counts as a failure, because others wait for it. */
export const askWithin = async <TAnswer>(
  timeoutMs: number,
  what: string,
  ask: () => TAnswer | PromiseLike<TAnswer>,
): Promise<TAnswer> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`${what} did not finish within ${timeoutMs} ms.`)),
    timeoutMs,
  );
  try {
    return await Promise.race([ask(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
};
