/**
 * Runs work one at a time: calls during a run share one more run after it. So a burst of changes causes one request,
 * and no late response replaces a newer one.
 */
export const onceAtATime = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = (): Promise<void> => {
    const mine = work().finally(() => {
      if (running === mine) running = undefined;
    });
    running = mine;
    return mine;
  };
  return () => {
    if (running === undefined) return run();
    const again = () => {
      next = undefined;
      return run();
    };
    next ??= running.then(again, again);
    return next;
  };
};
