/** Calls a callback of the host. An error is reported like any uncaught one and never stops a report. */
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
