/** Decides whether one more attempt may be made. */
export interface RetryBudget {
  /** Counts a call's first attempt. */
  earn(): void;
  /** Takes one retry out of the budget, or says that there is none. */
  spend(): boolean;
}

const initial = 2;
const most = 10;
const earned = 0.08;

/**
 * Lets at most about eight of a hundred calls be tried twice, so that a portal in trouble never sees its load doubled.
 * A quiet process has two retries in hand.
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
