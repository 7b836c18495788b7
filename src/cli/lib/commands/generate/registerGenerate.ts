import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { PortalClient } from '@vitrine/portal-client';
import { Option } from 'commander';
import { addPortalOptions, withClient } from '../../input/withClient.ts';
import { fileError, hasCode } from '../../output/fileError.ts';
import { UsageError } from '../../output/usageError.ts';
import type { RegisterCommand } from '../../program/addCommand.ts';
import { addCommand, type Run } from '../../program/addCommand.ts';
import { isOn, numberOption } from '../../program/readOptions.ts';
import { generatedMark, nameReports, reportsModule } from './reportsModule.ts';

/** `vitrine generate`: writes a module with the names and Item IDs of the reports. */
export const registerGenerate: RegisterCommand = (program, context) => {
  const command = addCommand(program, context, {
    usage: 'generate [file]',
    summary: "Write a TypeScript module with the names and IDs of the portal's reports",
    details: `The default file is src/reports.ts. With it, the editor completes <EmbeddedReport itemId={reports.salesByRegion} />, and a report that was removed from the portal fails at compile time. Commit the file.

The command only overwrites files that it generated.`,
    options: [
      new Option('--check', 'write nothing; exit code 2 when the file is not up to date, for CI').conflicts(
        'watch',
      ),
      new Option('--watch', 'keep the file up to date until Ctrl-C'),
      new Option('--poll <seconds>', 'seconds between checks with --watch; default 5'),
    ],
    examples: [
      { line: 'vitrine generate', note: 'write src/reports.ts' },
      { line: 'vitrine generate app/reports.ts', note: 'another file' },
    ],
    run: (run) => withClient(run, (client) => generate(run, client)),
  });
  addPortalOptions(command, { isReading: true });
};

const generate = async (run: Run, client: PortalClient): Promise<void> => {
  const { io, options, out, setExitCode } = run;
  const path = resolve(io.cwd, run.args[0] ?? 'src/reports.ts');
  const shown = relative(io.cwd, path);
  if (!/\.[cm]?tsx?$/.test(path))
    throw new UsageError(`The file is ${JSON.stringify(shown)}. Choose one that ends in .ts.`);

  const update = async (): Promise<void> => {
    const items = await client.items.list({ signal: io.signal }).toArray({ limit: Number.MAX_SAFE_INTEGER });
    const reports = nameReports(items);
    const text = reportsModule(reports);
    const before = await readExisting(path);
    if (before !== undefined && !before.startsWith(generatedMark))
      throw new UsageError(
        `${shown} was not written by vitrine generate, so it was not changed. Choose another file, or remove it first.`,
      );
    // Git may check out the file with other line endings.
    if (before?.replaceAll('\r\n', '\n') === text) {
      if (!isOn(options, 'watch')) out.note(`${shown} is up to date.`);
    } else if (isOn(options, 'check')) {
      setExitCode(2);
      out.line(`${shown} is not up to date. Run vitrine generate and commit the file.`);
    } else {
      await replaceFile(path, text);
      out.note(`Wrote ${shown} with ${reports.length} ${reports.length === 1 ? 'report' : 'reports'}.`);
    }
  };

  await update();
  if (!isOn(options, 'watch')) return;
  const pollMs = (numberOption(options, 'poll', 0.1) ?? 5) * 1000;
  out.note(`Watching the portal's items. Press Ctrl-C to stop.`);
  for (;;) {
    const isOver = await wait(pollMs, false, { signal: io.signal }).catch(() => true);
    if (isOver) return;
    // A restart of the portal must not end the watch.
    await update().catch(async (error: unknown) => {
      const { describeError } = await import('../../output/describeError.ts');
      if (!io.signal.aborted) out.note(describeError(error, io.stderr));
    });
  }
};

const readExisting = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw fileError(`read ${path}`, error, 'Check that it is a readable file.');
  }
};

/** Writes a temporary file and renames it, so that a compiler never reads a partial file. */
const replaceFile = async (path: string, text: string): Promise<void> => {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.new`, text);
    await rename(`${path}.new`, path);
  } catch (error) {
    await rm(`${path}.new`, { force: true }).catch(() => undefined);
    throw fileError(`write ${path}`, error, 'Choose another file: vitrine generate <file>.');
  }
};
