/** Creates a function that formats times as ISO 8601 in UTC; calls with the same millisecond share one text. */
export const createIsoTime = (): ((ms: number) => string) => {
  let lastMs = Number.NaN;
  let last = '';
  return (ms) => {
    if (ms !== lastMs) {
      last = new Date(ms).toISOString();
      lastMs = ms;
    }
    return last;
  };
};
