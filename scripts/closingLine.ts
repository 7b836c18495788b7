export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const closingLine = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;

export const addCounts = (a: Counts, b: Counts): Counts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

/** The part of Vitest's `TestModule` that counting needs. */
export interface CountableModule {
  readonly state: () => string;
  readonly children: {
    readonly allTests: () => Iterable<{
      readonly result: () => { readonly state: 'passed' | 'failed' | 'skipped' | 'pending' };
    }>;
  };
}

/** A file that fails before its first test counts as one failure, and so does an error outside all tests. */
export const countTests = (modules: readonly CountableModule[], unhandledErrors: number): Counts => {
  const counts = { passed: 0, failed: unhandledErrors, skipped: 0 };
  for (const module of modules) {
    const states = [...module.children.allTests()].map((test) => test.result().state);
    for (const state of states) counts[state === 'pending' ? 'skipped' : state] += 1;
    if (module.state() === 'failed' && !states.includes('failed')) counts.failed += 1;
  }
  return counts;
};
