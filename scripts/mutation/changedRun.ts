import { writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeEach, describe, type TestContext, vi } from 'vitest';

/** How often each changed line ran: during loading and hooks, and in each test. */
export interface Coverage {
  readonly static: Readonly<Record<string, number>>;
  readonly perTest: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** The global state of Stryker's instrumentation. */
interface Instrumentation {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: Coverage | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}

const instrumentationOf = (): Instrumentation => {
  // The instrumentation creates the same object if there is none.
  const holder = globalThis as { __stryker__?: Instrumentation };
  holder.__stryker__ ??= {};
  return holder.__stryker__;
};

const watch = `const end = () => process.kill(process.pid, 'SIGKILL');
  setTimeout(end, 180_000);
  setInterval(() => process.memoryUsage.rss() > 3e9 && end(), 500);`;

type Files = Readonly<Record<string, () => Promise<unknown>>>;

const declare = (files: Files): void => {
  for (const [file, load] of Object.entries(files))
    describe(`tests of ${file}`, async () => {
      await load();
    });
};

const idOf = ({ task }: TestContext): string => {
  const names = [task.name];
  for (let { suite } = task; suite; suite = suite.suite) names.unshift(suite.name);
  return names.join(' > ');
};

/** Runs the tests on unchanged code, and writes which tests reach which change. */
export const measure = (files: Files, output: string): void => {
  vi.resetModules();
  const perTest: Record<string, Record<string, number>> = {};
  const coverage: Coverage = { static: {}, perTest };
  const state = Object.assign(instrumentationOf(), {
    activeMutant: undefined,
    hitLimit: undefined,
    mutantCoverage: coverage,
  });
  beforeEach((context) => {
    const id = idOf(context);
    // A test that meets no change may still see one that was made when the code was loaded.
    perTest[id] ??= {};
    state.currentTestId = id;
  });
  afterEach(() => {
    state.currentTestId = undefined;
  });
  afterAll(() => writeFileSync(output, JSON.stringify(coverage)));
  declare(files);
};

/** Runs the tests that `wanted` names with one change, until one fails. */
export const change = (
  files: Files,
  {
    id,
    hitLimit,
    wanted,
  }: { readonly id: string; readonly hitLimit: number; readonly wanted: readonly string[] },
): void => {
  // Reload modules, so that decisions at load time run again.
  vi.resetModules();
  Object.assign(instrumentationOf(), { activeMutant: id, hitCount: 0, hitLimit });
  // For threads and processes that the tests start.
  process.env['__STRYKER_ACTIVE_MUTANT__'] = id;
  // An endless loop blocks this thread, fills the memory or continues during later changes, until the process ends.
  const watchdog = new Worker(watch, { eval: true });
  let isNoticed = false;
  beforeEach((context) => {
    if (isNoticed || !wanted.includes(idOf(context))) context.skip();
  });
  afterEach(({ task }) => {
    isNoticed ||= task.result?.state === 'fail';
    // Its hooks would often wait for the same, until they time out too.
    if (task.result?.errors?.some(({ message }) => message.includes('timed out')))
      process.kill(process.pid, 'SIGKILL');
  });
  afterAll(() => watchdog.terminate());
  declare(files);
};
