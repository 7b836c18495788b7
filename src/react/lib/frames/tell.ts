/** Calls back to the host. Its mistake is reported as an uncaught error would be, and never stops the life of a report. */
export const tell = <TFacts extends readonly unknown[]>(
  callback: ((...facts: TFacts) => void) | undefined,
  ...facts: TFacts
): void => {
  try {
    callback?.(...facts);
  } catch (error) {
    reportError(error);
  }
};
