/** Limits the number of retries. */
export interface RetryBudget {
  /** Counts a call's first attempt. */
  earn(): void;
  /** Takes one retry from the budget; false if none is left. */
  spend(): boolean;
}

const initial = 2;
const most = 10;
const earned = 0.08;

/**
 * Allows about eight retries per hundred calls, so that the load of a struggling portal never doubles. An idle process
 * has two retries available.
 */
export const createRetryBudget = (): RetryBudget => {
  let left = initial;
  return {
    earn: () => {
      left = Math.min(left + earned, most);
    },
    spend: () => {
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
};
