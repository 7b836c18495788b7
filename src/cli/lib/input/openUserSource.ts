import { resolve } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import type { SourceOptions, UserSource } from '@vitrine/portal-client';
import { openInput, statInput } from '../output/fileError.ts';
import { UsageError } from '../output/usageError.ts';
import type { Run } from '../program/addCommand.ts';
import { listOf, textOption } from '../program/readOptions.ts';

/** Reads users from a file, or from stdin for `-`. Format: the option, else the file extension. */
export const openUserSource = async (run: Run, file: string): Promise<UserSource> => {
  const { io, options } = run;
  const format = textOption(options, 'format') ?? formatOf(file);
  if (format === undefined)
    throw new UsageError(
      `The format of ${file} is unknown. Add --format csv or --format json (also NDJSON and SCIM).`,
    );
  const { knownExportNames, sourceFields, usersFromCsv, usersFromJson } = await import(
    '@vitrine/portal-client'
  );
  const source = textOption(options, 'source');
  if (source !== undefined && !knownExportNames.some((known) => known === source))
    throw new UsageError(`--source is ${JSON.stringify(source)}. Use one of ${knownExportNames.join(', ')}.`);
  const delimiter = textOption(options, 'delimiter');
  const sourceOptions: SourceOptions = {
    source: knownExportNames.find((known) => known === source),
    columns: readColumnMap(run, sourceFields),
    inactive: listOf(options, 'inactive'),
    encoding: textOption(options, 'encoding'),
    delimiter: delimiter === String.raw`\t` ? '\t' : delimiter,
  };
  const path = file === '-' ? undefined : resolve(io.cwd, file);
  const stamp = path === undefined ? '' : await stampOf(path);
  const input = path === undefined ? io.stdin : openInput(path, stamp === '');
  // Ctrl-C ends an input that stays open. Its reader gets the error; without a listener, it would end the process.
  if (input instanceof Readable) addAbortSignal(io.signal, input).on('error', () => undefined);
  const stream = path === undefined ? input : unchanged(input, path, stamp);
  return format === 'json' ? usersFromJson(stream, sourceOptions) : usersFromCsv(stream, sourceOptions);
};

/** Size and time of a file, which differ while it is written; a pipe has none. Throws if it cannot be read. */
const stampOf = async (path: string): Promise<string> => {
  const stats = await statInput(path, `read ${path}`, 'Compare its name.');
  return stats.isFile() ? `${stats.size} ${stats.mtimeMs}` : '';
};

/** Rejects a file that is written meanwhile: cut off at the end of a line, it looks whole. */
async function* unchanged(input: AsyncIterable<string | Uint8Array>, path: string, stamp: string) {
  yield* input;
  if ((await stampOf(path)) !== stamp)
    throw new UsageError(
      'The file of users changed while it was read, so users may be missing. Nothing was planned. Plan again when it is complete.',
    );
}

const formatOf = (file: string): 'csv' | 'json' | undefined => {
  // The reader says what to do with a workbook.
  if (/\.(?:csv|tsv|txt|xlsx|xlsm|xls)$/i.test(file)) return 'csv';
  return /\.(?:json|ndjson|jsonl|scim)$/i.test(file) ? 'json' : undefined;
};

/** Parses `--map email=E-Mail`: the column of each field; `--map type=` for none. */
const readColumnMap = ({ options }: Run, fields: readonly string[]): NonNullable<SourceOptions['columns']> =>
  Object.fromEntries(
    (listOf(options, 'map') ?? []).map((text) => {
      const at = text.indexOf('=');
      const name = fields.find((field) => field === text.slice(0, at));
      if (at < 1 || name === undefined)
        throw new UsageError(
          `--map is ${JSON.stringify(text)}. Use field=Column, with one of ${fields.join(', ')}.`,
        );
      return [name, text.slice(at + 1)];
    }),
  );
