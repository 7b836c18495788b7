import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { seed } from '../test/support/seed.ts';
import { isLong } from '../test/support/size.ts';
import { closingLine, countTests } from './closingLine.ts';

/** The slowest files, one per line. */
const slowest = (modules: readonly TestModule[], count: number): string[] =>
  modules
    .map((module) => ({ module, ms: module.diagnostic().duration }))
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, count)
    .map(
      ({ module, ms }) => `  ${(ms / 1000).toFixed(1)} s ${module.project.name} ${module.relativeModuleId}`,
    );

/**
 * Ends a run with `N passed, N failed, N skipped`. Console output outside a test counts as a failure; within a test,
 * `test/support/failOnConsoleOutput.ts` fails that test. Under `npm run verify`, which adds its own checks, it writes the
 * numbers to the file VITRINE_COUNTS instead.
 */
export default class ClosingLineReporter implements Reporter {
  #strayLines = 0;

  onInit(): void {
    if (isLong) process.stdout.write(`Long run. To repeat it, set VITRINE_SEED=${seed}.\n`);
  }

  onUserConsoleLog(): void {
    this.#strayLines += 1;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = countTests(modules, unhandledErrors.length + this.#strayLines);
    if (this.#strayLines > 0) process.exitCode = 1;
    if (modules.length > 50)
      process.stdout.write(`Slowest test files:\n${slowest(modules, 15).join('\n')}\n`);
    const file = process.env['VITRINE_COUNTS'];
    if (file !== undefined) writeFileSync(file, JSON.stringify(counts));
    else process.on('exit', () => process.stdout.write(`${closingLine(counts)}\n`));
  }
}
