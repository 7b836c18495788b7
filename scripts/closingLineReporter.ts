import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { seed } from '../test/support/seed.ts';
import { isLong } from '../test/support/size.ts';
import { closingLine, countTests } from './closingLine.ts';

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
    const file = process.env['VITRINE_COUNTS'];
    if (file !== undefined) writeFileSync(file, JSON.stringify(counts));
    else process.on('exit', () => process.stdout.write(`${closingLine(counts)}\n`));
  }
}
