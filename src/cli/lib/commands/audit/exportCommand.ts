import { extname } from 'node:path';
import { withoutFormulas } from '@vitrine/contract';
import { resources } from '@vitrine/contract/service';
import type { AuditRecord } from '@vitrine/portal-client';
import { Option } from 'commander';
import { confirm } from '../../input/ask.ts';
import { withClient } from '../../input/withClient.ts';
import { fileToWrite, replaceFile } from '../../output/fileError.ts';
import { progressBar } from '../../output/progressBar.ts';
import { counted } from '../../output/text.ts';
import { UsageError } from '../../output/usageError.ts';
import { type CommandSpec, yesOption } from '../../program/addCommand.ts';
import { textOption } from '../../program/readOptions.ts';
import { filterOptions, readFilter, toOption } from './filter.ts';

/** `vitrine audit export`: records into a file. */
export const exportCommand: CommandSpec = {
  usage: 'export',
  summary: 'Write audit records to a file',
  details:
    'The file gets its name when it is complete; an existing one is replaced after a confirmation, or with --yes. NDJSON keeps all fields unchanged; CSV has the common ones, with a single quote before what a spreadsheet would run as a formula, whether commas, semicolons or tabs separate its cells.',
  api: 'reads',
  options: [
    ...filterOptions,
    toOption,
    yesOption('replace an existing file without asking'),
    new Option('--format <format>', 'default: by the file extension, else ndjson').choices(['ndjson', 'csv']),
    new Option('--out <file>', 'file to write; default audit.ndjson or audit.csv'),
  ],
  examples: [
    { line: 'vitrine audit export --from 30d --out last-month.ndjson', note: 'the last thirty days' },
    { line: 'vitrine audit export --from 2026-01-01 --format csv', note: 'for a spreadsheet' },
  ],
  run: (run) =>
    withClient(run, async (client) => {
      const { io, out, options } = run;
      const fields = Object.keys(resources.auditRecord.fields);
      const { stringify } = await import('csv-stringify/sync');
      const csvLine = (cells: readonly string[]) =>
        stringify([cells], { record_delimiter: 'windows', quoted_match: /[\r\n]/ });
      const extension = extname(textOption(options, 'out') ?? '').toLowerCase();
      if (extension === '.json' && options['format'] === undefined)
        throw new UsageError(
          '--out is a .json file, but the export has one JSON line per record. Name it .ndjson or .csv, or add --format ndjson.',
        );
      const isCsv = (options['format'] ?? extension.slice(1)) === 'csv';
      const name = textOption(options, 'out') ?? (isCsv ? 'audit.csv' : 'audit.ndjson');
      const next = '`vitrine audit list --all --json` prints the records.';
      const { path, isThere } = await fileToWrite(io, name, next);
      if (isThere && !(await confirm(run, `${name} exists. Replace it?`))) return;
      const progress = progressBar(io, out, 'Exporting');
      let count = 0;
      const lines = async function* () {
        // The mark tells spreadsheets that the text is UTF-8.
        if (isCsv) yield `\uFEFF${csvLine(fields)}`;
        for await (const { rows, total = 0 } of client.audit
          .list({ ...readFilter(run), signal: io.signal })
          .pages())
          for (const record of rows) {
            yield isCsv
              ? csvLine(fields.map((field) => csvValue(record, field)))
              : `${JSON.stringify(record)}\n`;
            count += 1;
            progress.update(count, Math.max(total, count));
          }
      };
      try {
        const next = 'Choose a file in a folder that exists and is writable.';
        await replaceFile(path, lines(), `write ${path}`, next);
      } catch (error) {
        if (io.signal.aborted) out.warn(`${name} was not ${isThere ? 'changed' : 'written'}.`);
        throw error;
      } finally {
        progress.stop();
      }
      if (count === 0 && isThere) out.warn(`${name} is now empty: no record matches.`);
      out.done({ written: path, records: count }, `${counted(count, 'record')} written to ${path}.`);
    }),
};

const csvValue = (record: AuditRecord, name: string): string => {
  const value: unknown = Reflect.get(record, name);
  if (value === undefined || value === null) return '';
  return withoutFormulas(typeof value === 'string' ? value : JSON.stringify(value));
};
