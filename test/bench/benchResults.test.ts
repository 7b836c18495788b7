import { describe, expect, it } from 'vitest';
import { type Goal, goalResultOf } from '../../bench/lib/benchResults.ts';
import { median, pairedRatio, quantile, shuffled, summarize } from '../../bench/lib/stats.ts';

describe('the figures of a benchmark', () => {
  it('use the middle value, or the mean of the middle two', () => {
    expect(median([5, 1, 3])).toBe(3);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([])).toBeNaN();
  });

  it('use a quantile that was actually measured', () => {
    const values = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100];
    expect(quantile(values, 0.9)).toBe(90);
    expect(quantile(values, 0)).toBe(10);
    expect(summarize(values)).toEqual({ median: 55, p90: 90, lowest: 10, highest: 100, count: 10 });
  });

  it('compare two designs round by round, so that a round that is slow for both does not matter', () => {
    expect(pairedRatio([10, 100, 12], [5, 50, 6])).toBe(2);
  });

  it('run every design once per round, in any order', () => {
    expect(new Set(shuffled([1, 2, 3, 4]))).toEqual(new Set([1, 2, 3, 4]));
  });
});

describe('a goal', () => {
  const goal: Goal = { text: 'time', limit: 2, sense: 'at most', seen: 1 };

  it('passes or fails by the measured figure, including the limit itself', () => {
    expect(goalResultOf(goal)).toBe('met');
    expect(goalResultOf({ ...goal, seen: 2 })).toBe('met');
    expect(goalResultOf({ ...goal, seen: 2.1 })).toBe('not met');
    expect(goalResultOf({ ...goal, sense: 'at least' })).toBe('not met');
  });

  it('has no result when the run did not measure it', () => {
    expect(goalResultOf({ ...goal, seen: undefined })).toBe('not measured');
    expect(goalResultOf({ ...goal, seen: Number.NaN })).toBe('not measured');
  });
});
