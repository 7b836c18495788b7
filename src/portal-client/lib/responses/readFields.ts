import { asBoolean, asText, type JsonRecord, member } from './jsonValues.ts';

/** The type of a field of a returned resource. */
export type FieldKind = 'text' | 'textOrNull' | 'idOrNull' | 'boolean' | 'texts';

/**
 * Reads the known fields of a record as their declared types, and keeps unknown fields unchanged. A known field with an
 * invalid value is omitted.
 */
export const readFields = (
  record: JsonRecord,
  fields: Readonly<Record<string, FieldKind>>,
): Record<string, unknown> => {
  const read: Record<string, unknown> = { ...record };
  for (const [name, kind] of Object.entries(fields)) {
    const value = readField(member(record, name), kind);
    if (value === undefined) delete read[name];
    else read[name] = value;
  }
  return read;
};

const readField = (value: unknown, kind: FieldKind): unknown => {
  switch (kind) {
    case 'text':
      return asText(value);
    case 'textOrNull':
      return value === null ? null : asText(value);
    case 'idOrNull':
      return value === null ? null : readId(value);
    case 'boolean':
      return asBoolean(value);
    case 'texts':
      return readTexts(value);
  }
};

/** Whether a list has only texts and numbers: roles that are objects must not be read as none. */
export const isTextList = (value: unknown): boolean =>
  !Array.isArray(value) || value.every((entry) => asText(entry) !== undefined);

/** A list of strings; numbers are read as text. */
const readTexts = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? value.flatMap((entry) => asText(entry) ?? []) : undefined;

/** An identifier: a number or a non-empty string. */
export const readId = (value: unknown): string | number | undefined =>
  (typeof value === 'string' && value.trim() !== '') || (typeof value === 'number' && Number.isFinite(value))
    ? value
    : undefined;
