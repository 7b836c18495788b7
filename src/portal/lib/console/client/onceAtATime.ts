/**
 * Makes work run once at a time: calls that come while it runs are answered by one more run after it. So a burst of
 * changes is one question, and no late answer covers a newer one.
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
