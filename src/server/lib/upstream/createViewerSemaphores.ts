import { createSemaphore, type Semaphore, type Wait } from './createSemaphore.ts';

/** A semaphore for each viewer, so that one of them cannot take every connection. */
export interface ViewerSemaphores {
  run<TValue>(userId: string, task: () => Promise<TValue>, wait: Wait): Promise<TValue>;
  /** Number of tasks that wait for another one of the same viewer. */
  readonly waiting: number;
}

/** Creates {@link ViewerSemaphores}. Keeps nothing for viewers without a task. */
export const createViewerSemaphores = (share: {
  readonly maxConcurrent: number;
  readonly maxQueue: number;
}): ViewerSemaphores => {
  const viewers = new Map<string, Semaphore>();
  return {
    run: async (userId, task, wait) => {
      const own = viewers.get(userId) ?? createSemaphore(share);
      viewers.set(userId, own);
      try {
        return await own.run(task, wait);
      } finally {
        if (own.inFlight + own.waiting === 0) viewers.delete(userId);
      }
    },
    get waiting() {
      return [...viewers.values()].reduce((sum, { waiting }) => sum + waiting, 0);
    },
  };
};
