import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checks } from './checks/index.ts';
import { createContext } from './context.ts';
import { startPortalUnderTest } from './portalTarget.ts';
import { readOptions, usage } from './readOptions.ts';
import { createReport, reportAsMarkdown } from './report.ts';
import { runChecks } from './runCheck.ts';
import { UsageError } from './usageError.ts';

/** What a run needs from its process. */
export interface RunEnvironment {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly nowMs: number;
  readonly say: (text: string) => void;
}

/**
 * Checks a service and writes the report. Resolves to the exit code: 0 when the service does what the interface
 * states, 1 when it differs from that, 2 when the run could not start. Differences from our choices do not count.
 */
export const runConformance = async ({
  args,
  environment,
  nowMs,
  say,
}: RunEnvironment): Promise<0 | 1 | 2> => {
  let options: ReturnType<typeof readOptions>;
  try {
    options = readOptions(args, environment);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    say(`${error.message}\n\n${usage}`);
    return 2;
  }
  const own = options.target === undefined ? await startPortalUnderTest(':memory:') : undefined;
  const target = options.target ?? own?.target;
  if (target === undefined) throw new Error('There is no service to check.');
  const results = await runChecks(checks, createContext(target, nowMs.toString(36)));
  await own?.close();

  const report = createReport(results, {
    baseUrl: new URL(target.baseUrl).origin,
    tenancyName: target.tenancyName,
    checkedAt: new Date(nowMs).toISOString(),
  });
  const markdown = reportAsMarkdown(report);
  mkdirSync(options.reportFolder, { recursive: true });
  writeFileSync(join(options.reportFolder, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(options.reportFolder, 'report.md'), markdown);
  say(`${markdown}\nWritten to ${options.reportFolder}/report.md and report.json\n`);
  return report.counts.interface.differs === 0 ? 0 : 1;
};
