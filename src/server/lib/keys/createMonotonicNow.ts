/**
 * Makes a clock that only goes forward out of one that may be set: the time between two looks counts, unless it is
 * negative. A pause measured by a clock that is set back an hour would last an hour.
 */
export const createMonotonicNow = (now: () => number, onSetBack: () => void): (() => number) => {
  let lastMs = now();
  let steadyMs = 0;
  return () => {
    const passedMs = now() - lastMs;
    lastMs += passedMs;
    if (passedMs < 0) onSetBack();
    else steadyMs += passedMs;
    return steadyMs;
  };
};
