import type { JsonRecord } from '../../responses/jsonValues.ts';
import { plainName } from './csvFields.ts';
import { nameList, sourceError, startOf } from './readText.ts';

/** Options of {@link knownFields}. */
export interface KnownFieldsProps {
  readonly names: readonly string[];
  /** Position of the record in its source: `line 12`. */
  readonly origin: string;
  readonly ignoreColumns?: boolean | undefined;
}

/** The known fields of a record, whose names may be in any case. Throws for a repeated field and for an unknown one. */
export const knownFields = (
  record: JsonRecord,
  { names, origin, ignoreColumns }: KnownFieldsProps,
): JsonRecord => {
  const known = new Map(names.map((name) => [plainName(name), name]));
  const fields = new Map<string, unknown>();
  const unknown: string[] = [];
  for (const [key, value] of Object.entries(record)) {
    const name = known.get(plainName(key));
    if (name === undefined) unknown.push(key);
    else if (fields.has(name))
      throw sourceError('json_fields', `${startOf(origin)} of the JSON has ${name} twice.`);
    else fields.set(name, value);
  }
  if (unknown.length > 0 && ignoreColumns !== true)
    throw sourceError(
      'json_fields',
      `${startOf(origin)} of the JSON has ${unknown.length === 1 ? 'an unknown field' : 'unknown fields'}: ${nameList(unknown)}. Known fields are ${names.join(', ')}. Correct the source, or set {ignoreColumns}.`,
    );
  return Object.fromEntries(fields);
};
