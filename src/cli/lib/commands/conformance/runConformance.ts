import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checks } from '../../conformance/checks/checks.ts';
import { createReport, reportAsMarkdown } from '../../conformance/conformanceReport.ts';
import { createContext } from '../../conformance/createContext.ts';
import { runChecks } from '../../conformance/runCheck.ts';
import type { Target } from '../../conformance/target.ts';
import { fileError } from '../../output/fileError.ts';
import type { Run } from '../../program/addCommand.ts';
import { textOption } from '../../program/readOptions.ts';
import { readTarget } from './readTarget.ts';

/** Checks a portal and writes the report. Exit code 2: it differs from the interface. */
export const runConformance = async ({ io, out, options, setExitCode }: Run): Promise<void> => {
  const named = readTarget(options, io.env, io.cwd);
  const { target, close } =
    named === undefined
      ? await startOwn()
      : options['receive'] === true
        ? await receiveFrom(named)
        : { target: named, close: () => Promise.resolve() };
  const nowMs = Date.now();
  // A random ID, because two runs may start at the same time.
  const results = await runChecks(checks, createContext(target, crypto.randomUUID().slice(0, 8))).finally(
    close,
  );

  const report = createReport(results, {
    baseUrl: new URL(target.baseUrl).origin,
    tenancyName: target.tenancyName,
    checkedAt: new Date(nowMs).toISOString(),
  });
  const markdown = reportAsMarkdown(report);
  const folder = textOption(options, 'report') ?? 'conformance-report';
  const path = resolve(io.cwd, folder);
  try {
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
    writeFileSync(join(path, 'report.md'), markdown);
  } catch (error) {
    throw fileError(`save the report to ${path}`, error, 'Choose another folder with --report.');
  }
  out.line(markdown);
  out.note(`Wrote ${folder}/report.md and report.json.`);
  if (report.counts.interface.differs > 0) setExitCode(2);
};

/** Receives webhooks of a running development portal. */
const receiveFrom = async (target: Target) => {
  const { createPortalActions } = await import('./createPortalActions.ts');
  const actions = await createPortalActions({ target, mayMoveClock: false });
  return { target: { ...target, actions }, close: actions.close };
};

const startOwn = async () => (await import('./startPortalUnderTest.ts')).startPortalUnderTest(':memory:');
