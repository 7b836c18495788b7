/** Measures the steps of a user from now on, and prints them for `docs/figures.md`. */
export const createStopwatch = (title: string) => {
  const started = performance.now();
  const laps: string[] = [];
  let last = started;
  const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;
  return {
    lap: (step: string): void => {
      laps.push(`${step} ${seconds(last)}`);
      last = performance.now();
    },
    print: (): void =>
      void process.stdout.write(`${title}: ${laps.join(', ')}; ${seconds(started)} in all\n`),
  };
};
