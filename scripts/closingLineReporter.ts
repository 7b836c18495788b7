import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { seed } from '../test/support/seed.ts';
import { isLong } from '../test/support/size.ts';
import { closingLine, countTests, flakyTests } from './closingLine.ts';

/**
 * Ends a run with `N passed, N failed, N skipped`, for people and programs alike. Under `npm run verify`, which
 * adds its own checks to the numbers, they go to the file named by VITRINE_COUNTS instead.
 */
export default class ClosingLineReporter implements Reporter {
  onInit(): void {
    if (isLong) process.stdout.write(`A long run: VITRINE_SEED=${seed} repeats it.\n`);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = countTests(modules, unhandledErrors.length);
    for (const name of flakyTests(modules))
      process.stdout.write(`! passed only at the second try: ${name}\n`);
    const file = process.env['VITRINE_COUNTS'];
    if (file !== undefined) writeFileSync(file, JSON.stringify(counts));
    else process.on('exit', () => process.stdout.write(`${closingLine(counts)}\n`));
  }
}
