import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checks } from '../../conformance/checks/checks.ts';
import { conformanceMarkdown, createConformanceRun } from '../../conformance/conformanceRun.ts';
import { createContext } from '../../conformance/createContext.ts';
import { runChecks } from '../../conformance/runCheck.ts';
import type { Target } from '../../conformance/target.ts';
import { fileError } from '../../output/fileError.ts';
import type { Run } from '../../program/addCommand.ts';
import { textOption } from '../../program/readOptions.ts';
import { readTarget } from './readTarget.ts';

/** Checks a portal and writes the results. Exit code 2: it differs from the interface. */
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

  const conformance = createConformanceRun(results, {
    baseUrl: new URL(target.baseUrl).origin,
    tenancyName: target.tenancyName,
    checkedAt: new Date(nowMs).toISOString(),
  });
  const markdown = conformanceMarkdown(conformance);
  const folder = textOption(options, 'output') ?? 'conformance-results';
  const path = resolve(io.cwd, folder);
  try {
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'conformance.json'), `${JSON.stringify(conformance, null, 2)}\n`);
    writeFileSync(join(path, 'conformance.md'), markdown);
  } catch (error) {
    throw fileError(`save the results to ${path}`, error, 'Choose another folder with --output.');
  }
  out.line(markdown);
  out.note(`Wrote ${folder}/conformance.md and conformance.json.`);
  if (conformance.counts.interface.differs > 0) setExitCode(2);
};

/** Receives webhooks of a running development portal. */
const receiveFrom = async (target: Target) => {
  const { createPortalActions } = await import('./createPortalActions.ts');
  const actions = await createPortalActions({ target, mayMoveClock: false });
  return { target: { ...target, actions }, close: actions.close };
};

const startOwn = async () => (await import('./startPortalUnderTest.ts')).startPortalUnderTest(':memory:');
