import { resolve } from 'node:path';
import { resources, type ServiceField } from '@vitrine/contract/service';
import { readText } from '../output/fileError.ts';
import { UsageError } from '../output/usageError.ts';
import type { Run } from '../program/addCommand.ts';
import { textOption } from '../program/readOptions.ts';
import { parseJson } from './parseJson.ts';

type Field = Pick<ServiceField, 'kind' | 'create'>;

const unitFields: Readonly<Record<string, Field>> = {
  path: { kind: 'text', create: 'required' },
  directoryGroupId: resources.organizationUnit.fields.directoryGroupId,
};

/** The fields of the rows of a file. */
const fieldsOf = { roles: resources.role.fields, units: unitFields, items: resources.item.fields } as const;

/**
 * Reads the rows of the file that `--roles`, `--units` or `--items` names; undefined without the option. Throws for a row that
 * lacks a required field, or has one of another type.
 */
export const desiredRows = async <TRow>(
  { io, options }: Run,
  name: keyof typeof fieldsOf,
  defaults: Partial<TRow> = {},
): Promise<readonly TRow[] | undefined> => {
  const file = textOption(options, name);
  if (file === undefined) return undefined;
  const path = resolve(io.cwd, file);
  const rows = parseJson(
    await readText(path, `read ${path}`, 'Compare its name.', io.signal),
    `The file ${path}`,
  );
  if (!Array.isArray(rows))
    throw new UsageError(`The file ${path} is not a list of records. It should look like [{…}, {…}].`);
  const fields = Object.entries<Field>(fieldsOf[name]).filter(([, field]) => field.create !== undefined);
  return rows.map((given: unknown) => {
    const row: Readonly<Record<string, unknown>> = { ...defaults, ...Object(given) };
    const kept = fields.flatMap(([field, { kind, create }]) => {
      const value = row[field] ?? undefined;
      const shown = JSON.stringify(given).slice(0, 120);
      if (create === 'required' && (value === undefined || value === ''))
        throw new UsageError(`A row of --${name} has no ${field}: ${shown}`);
      const isList = kind === 'names' || kind === 'list';
      if (value !== undefined && (isList ? !Array.isArray(value) : typeof value !== 'string'))
        throw new UsageError(`${field} is not a ${isList ? 'list' : 'string'}: ${shown}`);
      return value === undefined ? [] : [[field, value] as const];
    });
    // Each field was checked above.
    return Object.fromEntries(kept) as TRow;
  });
};
