import { describe, expect, it } from 'vitest';
import { columns, formatTable, type Goal, goalResultOf } from '../../bench/lib/benchResults.ts';
import { isWanted, readOptions } from '../../bench/lib/options.ts';
import { median, pairedRatio, quantile, shuffled, summarize } from '../../bench/lib/stats.ts';
import { serialDepth, type Visit } from '../../bench/mount/site.ts';

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

  it('count sequential requests, not concurrent ones', () => {
    const visit = (startedAt: number, endedAt: number): Visit => ({
      site: 'app',
      path: '/',
      startedAt,
      endedAt,
    });
    expect(serialDepth([])).toBe(0);
    expect(serialDepth([visit(0, 10), visit(11, 20), visit(12, 19)])).toBe(2);
    expect(serialDepth([visit(0, 30), visit(1, 10), visit(11, 20)])).toBe(2);
  });
});

describe('a goal', () => {
  const goal: Goal = { text: 'time', limit: 2, sense: 'at most', seen: 1 };

  it('passes or fails by the measured figure, including the limit itself', () => {
    expect(goalResultOf(goal)).toBe('met');
    expect(goalResultOf({ ...goal, seen: 2 })).toBe('met');
    expect(goalResultOf({ ...goal, seen: 2.1 })).toBe('not met');
    expect(goalResultOf({ ...goal, sense: 'at least' })).toBe('not met');
    expect(goalResultOf({ ...goal, sense: 'exactly', seen: 2 })).toBe('met');
  });

  it('has no result when the run did not measure it', () => {
    expect(goalResultOf({ ...goal, seen: undefined })).toBe('not measured');
    expect(goalResultOf({ ...goal, seen: Number.NaN })).toBe('not measured');
  });
});

describe('a benchmark table', () => {
  it('aligns columns, with text left and figures right', () => {
    const table = formatTable({
      title: 'Sizes',
      columns: columns('package', 'bytes'),
      rows: [
        ['ours', 1846],
        ['theirs', 45_826],
      ],
      notes: ['Measured the same way.'],
    });
    expect(table.split('\n')).toEqual([
      '',
      'Sizes',
      'package   bytes',
      '───────  ──────',
      'ours      1 846',
      'theirs   45 826',
      '  Measured the same way.',
    ]);
  });
});

describe('the command line of a benchmark', () => {
  it('has a short run, a number of rounds, a choice and an output file', () => {
    expect(readOptions([])).toEqual({ quick: false, json: undefined, rounds: undefined, only: [] });
    const options = readOptions(['--quick', '--rounds', '3', '--only', 'ours', '--json', '-']);
    expect(options).toEqual({ quick: true, json: '-', rounds: 3, only: ['ours'] });
    expect(isWanted(options, 'ours, plain')).toBe(true);
    expect(isWanted(options, 'bare hello')).toBe(false);
  });

  it('rejects an invalid number of rounds and repeats what it was given', () => {
    expect(() => readOptions(['--rounds', 'many'])).toThrow(
      '--rounds needs a whole number above 0, got "many".',
    );
  });
});
