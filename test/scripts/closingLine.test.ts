import { describe, expect, it } from 'vitest';
import { addCounts, type CountableModule, closingLine, countTests } from '../../scripts/closingLine.ts';

type State = 'passed' | 'failed' | 'skipped' | 'pending';
const testFile = (state: string, tests: readonly State[]): CountableModule => ({
  state: () => state,
  children: { allTests: () => tests.map((state) => ({ result: () => ({ state }) })) },
});

describe('the closing line', () => {
  it('counts passed, failed and skipped tests of all files', () => {
    const counts = countTests(
      [testFile('failed', ['passed', 'failed']), testFile('passed', ['passed', 'skipped'])],
      0,
    );
    expect(closingLine(counts)).toBe('2 passed, 1 failed, 1 skipped');
  });

  it('counts a test that never ran as skipped', () => {
    expect(countTests([testFile('passed', ['pending'])], 0)).toEqual({ passed: 0, failed: 0, skipped: 1 });
  });

  it('counts a file that failed before its first test as a failure', () => {
    expect(countTests([testFile('failed', [])], 0).failed).toBe(1);
  });

  it('counts a file whose setup failed as a failure, even if its tests passed', () => {
    expect(countTests([testFile('failed', ['passed'])], 0)).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });

  it('counts an error outside every test as a failure', () => {
    expect(countTests([testFile('passed', ['passed'])], 1)).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });

  it('adds the checks that run before the tests', () => {
    expect(addCounts({ passed: 1, failed: 2, skipped: 3 }, { passed: 10, failed: 20, skipped: 30 })).toEqual({
      passed: 11,
      failed: 22,
      skipped: 33,
    });
  });
});
