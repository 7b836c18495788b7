import { setImmediate } from 'node:timers/promises';
import type { Query } from './sql.ts';

/** Maximum calls that share a commit. */
const maxTogether = 100;

type Step = (query: Query) => Promise<unknown>;

/** Makes changes of the same tick, and those that wait for the last commit, in one transaction. */
export const shareCommits = (
  commit: (work: (query: Query) => Promise<readonly unknown[]>) => Promise<readonly unknown[]>,
) => {
  let last: Promise<readonly unknown[]> = Promise.resolve([]);
  let together: Step[] = [];
  const commitAll = async (steps: Step[]): Promise<readonly unknown[]> => {
    await Promise.allSettled([last, setImmediate()]);
    if (together === steps) together = [];
    return commit(async (query) => {
      const results: unknown[] = [];
      for (const step of steps) results.push(await step(query));
      return results;
    });
  };
  return {
    async add<TResult>(step: (query: Query) => Promise<TResult>): Promise<TResult> {
      if (together.length >= maxTogether) together = [];
      if (together.length === 0) last = commitAll(together);
      const [place, results] = [together.push(step) - 1, last];
      return (await results)[place] as TResult; // of this step
    },
    /** The last commit, which ends after those before it. */
    last: () => last,
  };
};
