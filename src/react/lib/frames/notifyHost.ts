/** Calls back to the host. Its mistake is reported like any uncaught error, and never stops a report. */
export const notifyHost = <TFacts extends readonly unknown[]>(
  callback: ((...facts: TFacts) => void) | undefined,
  ...facts: TFacts
): void => {
  try {
    callback?.(...facts);
  } catch (error) {
    reportError(error);
  }
};
