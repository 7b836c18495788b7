import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  checks,
  conformanceMarkdown,
  createConformanceRun,
  createContext,
  runChecks,
} from '@vitrine/conformance';
import { fileError } from '../../output/fileError.ts';
import { progressBar } from '../../output/progressBar.ts';
import type { Run } from '../../program/addCommand.ts';
import { textOption } from '../../program/readOptions.ts';
import { readTarget } from './readTarget.ts';
import { requireAccess } from './requireAccess.ts';
import { requireAnswers } from './requireAnswers.ts';
import { requireKeys } from './requireKeys.ts';
import { requireNamed } from './requireNamed.ts';

/** Time for a stopped run: to finish its check, and then to remove what it added. Together less than a second. */
const stopping = { graceMs: 250, removalMs: 500 } as const;

/** Checks a portal and writes the results. Exit code 2: it differs from the interface; 1: it was not checked to the end. */
export const runConformance = async ({ io, out, options, setExitCode }: Run): Promise<void> => {
  const named = readTarget(options, io.env, io.cwd);
  if (named !== undefined)
    for (const requirement of [requireAnswers, requireAccess, requireNamed, requireKeys])
      await requirement(named, io.signal);
  const requests = new AbortController();
  io.signal.addEventListener('abort', () => setTimeout(() => requests.abort(), stopping.graceMs), {
    once: true,
  });
  const { target, close } =
    named === undefined ? await startOwn(io.signal) : { target: named, close: () => Promise.resolve() };
  const nowMs = Date.now();
  // A random ID, because two runs may start at the same time.
  const context = createContext(target, crypto.randomUUID().slice(0, 8), requests.signal);
  const progress = progressBar(io, out, 'Checking');
  let endedEarly: string | undefined;
  const results = await runChecks(checks, context, {
    signal: io.signal,
    onProgress: progress.update,
    onEndEarly: (reason) => (endedEarly = reason),
  }).finally(progress.stop);
  const limit = io.signal.aborted ? AbortSignal.timeout(stopping.removalMs) : undefined;
  const users = named === undefined ? [] : await context.removeUsers(limit);
  await close();

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
  if (users.length > 0) out.note(`Could not remove ${users.join(', ')}. Remove them by hand.`);
  if (endedEarly !== undefined) out.note(`Not every check ran: ${endedEarly}.`);
  if (endedEarly !== undefined) setExitCode(1);
  else if (conformance.counts.interface.differs > 0) setExitCode(2);
};

const startOwn = async (signal: AbortSignal) => {
  const { startPortalUnderTest } = await import('./startPortalUnderTest.ts');
  return startPortalUnderTest(':memory:', signal);
};
