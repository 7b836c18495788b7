/** Calls back to the host. Its mistake is reported as an uncaught error would be, and never stops the life of a report. */
export const tell = (callback: () => void): void => {
  try {
    callback();
  } catch (error) {
    reportError(error);
  }
};
