import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { Option } from 'commander';
import { withClient } from '../../input/withClient.ts';
import { readText, replaceFile } from '../../output/fileError.ts';
import { UsageError } from '../../output/usageError.ts';
import type { CommandSpec } from '../../program/addCommand.ts';
import { isOn } from '../../program/readOptions.ts';
import { generatedMark, nameReports, reportsModule } from './reportsModule.ts';

/** `vitrine generate`: writes a module with the names and Item IDs of the reports. */
export const generateCommand: Omit<CommandSpec, 'summary'> = {
  usage: 'generate [file]',
  details: `The default file is src/reports.ts. With it, the editor completes <EmbeddedReport itemId={reports.salesByRegion} />, and a report that was removed from the portal fails at compile time. Commit the file.

The command only overwrites files that it generated.`,
  api: 'reads',
  options: [new Option('--check', 'write nothing; exit code 2 when the file is not up to date, for CI')],
  examples: [
    { line: 'vitrine generate', note: 'write src/reports.ts' },
    { line: 'vitrine generate app/reports.ts', note: 'another file' },
  ],
  run: (run) =>
    withClient(run, async (client) => {
      const { io, options, out, args, setExitCode } = run;
      const path = resolve(io.cwd, args[0] ?? 'src/reports.ts');
      const shown = relative(io.cwd, path);
      if (!/\.[cm]?tsx?$/.test(path))
        throw new UsageError(`The file is ${JSON.stringify(shown)}. Choose one that ends in .ts.`);
      const items = await Array.fromAsync(client.items.list({ signal: io.signal }));
      const reports = nameReports(items);
      const text = reportsModule(reports);
      const before = existsSync(path)
        ? await readText(path, `read ${path}`, 'Check that it is a readable file.', io.signal)
        : undefined;
      if (before !== undefined && !before.startsWith(generatedMark))
        throw new UsageError(
          `${shown} was not written by vitrine generate, so it was not changed. Choose another file, or remove it first.`,
        );
      // Git may check out the file with other line endings.
      if (before?.replaceAll('\r\n', '\n') === text)
        return out.done({ file: path, isUpToDate: true }, `${shown} is up to date.`);
      if (isOn(options, 'check')) {
        setExitCode(2);
        const outdated = `${shown} is not up to date. Run vitrine generate and commit the file.`;
        return out.record({ file: path, isUpToDate: false }, outdated);
      }
      await mkdir(dirname(path), { recursive: true }).catch(() => undefined);
      await replaceFile(path, text, `write ${path}`, 'Choose another file: vitrine generate <file>.');
      const { length: count } = reports;
      const written = `Wrote ${shown} with ${count} ${count === 1 ? 'report' : 'reports'}.`;
      out.done({ written: path, reports: count }, written);
    }),
};
