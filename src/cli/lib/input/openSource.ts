import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type DesiredUser, usersFromCsv, usersFromJson } from '@vitrine/portal-client';
import type { Run } from '../program/addCommand.ts';
import { listOf, textOption } from '../program/readOptions.ts';
import { UsageError } from '../program/usageError.ts';

/** Users out of a file, or out of stdin for `-`. The format is the option's, else the file's ending. */
export const openUserSource = async (run: Run, file: string): Promise<AsyncIterable<DesiredUser>> => {
  const { io, options } = run;
  const format = textOption(options, 'format') ?? formatOf(file);
  if (format === undefined)
    throw new UsageError(
      `The format of ${file} is not known. Add --format csv or --format json (also NDJSON and SCIM).`,
    );
  const stream = file === '-' ? bytes(io.stdin) : createReadStream(await existing(resolve(io.cwd, file)));
  return format === 'csv' ? usersFromCsv(stream, { columns: readColumns(run) }) : usersFromJson(stream);
};

const formatOf = (file: string): 'csv' | 'json' | undefined => {
  if (/\.(?:csv|tsv|txt)$/i.test(file)) return 'csv';
  return /\.(?:json|ndjson|jsonl|scim)$/i.test(file) ? 'json' : undefined;
};

const existing = async (path: string): Promise<string> => {
  try {
    await access(path);
  } catch {
    throw new UsageError(`The file ${path} cannot be read. Does it exist?`);
  }
  return path;
};

async function* bytes(stream: NodeJS.ReadableStream): AsyncGenerator<string | Uint8Array> {
  for await (const piece of stream) yield typeof piece === 'string' ? piece : new Uint8Array(piece);
}

const fields = ['email', 'type', 'firstName', 'lastName', 'roles', 'organizationUnits', 'active'] as const;

/** `--column email="Work mail"`: which column of the CSV holds which field. */
const readColumns = ({ options }: Run): Partial<Record<(typeof fields)[number], string>> =>
  Object.fromEntries(
    (listOf(options, 'column') ?? []).map((text) => {
      const at = text.indexOf('=');
      const name = fields.find((field) => field === text.slice(0, at));
      if (at < 1 || name === undefined)
        throw new UsageError(
          `--column is ${JSON.stringify(text)}. Write it as field=Column, with one of ${fields.join(', ')}.`,
        );
      return [name, text.slice(at + 1)];
    }),
  );
