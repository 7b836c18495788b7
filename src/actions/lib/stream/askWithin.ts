/** Asks the host and waits so long, in milliseconds. An answer that never comes counts as a failure, because others wait for it. */
export const askWithin = async <TAnswer>(
  timeoutMs: number,
  question: string,
  ask: () => TAnswer | PromiseLike<TAnswer>,
): Promise<TAnswer> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`The host did not say within ${timeoutMs} ms ${question}.`)),
    timeoutMs,
  );
  try {
    return await Promise.race([ask(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
};
