/** Answers requests of the parent process, which called `startWorker`. */
export const serveRequests = (answer: (request: never) => unknown): void => {
  process.on('message', (message: { id: number; request: never }) => {
    Promise.resolve(message.request)
      .then(answer)
      .then(
        (value) => process.send?.({ id: message.id, answer: value }),
        (error: unknown) =>
          process.send?.({ id: message.id, error: error instanceof Error ? error.message : 'failed' }),
      );
  });
  process.on('disconnect', () => process.exit(0));
};

/** Resource usage of this process so far. */
export interface Usage {
  /** User and system time, in microseconds. */
  readonly cpuMicros: number;
  readonly rssMiB: number;
  readonly peakRssMiB: number;
}

export const readUsage = (): Usage => {
  const { user, system } = process.cpuUsage();
  return {
    cpuMicros: user + system,
    rssMiB: process.memoryUsage.rss() / 2 ** 20,
    peakRssMiB: process.resourceUsage().maxRSS / 1024,
  };
};
