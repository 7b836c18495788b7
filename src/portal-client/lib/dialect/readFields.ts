import { asBoolean, asText, isRecord, type JsonRecord, member } from './jsonValues.ts';

/** The type of a field of a returned resource. */
export type FieldKind = 'text' | 'textOrNull' | 'idOrNull' | 'boolean' | 'names' | 'ids';

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
    case 'names':
      return readTexts(value, ['name', 'displayName', 'code', 'id']);
    case 'ids':
      return readTexts(value, ['id', 'ouId', 'name']);
  }
};

/** A list of strings; objects are read by the first of `names` that they have. */
const readTexts = (value: unknown, names: readonly string[]): readonly string[] | undefined => {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((entry) => {
    const text = isRecord(entry)
      ? names.map((name) => asText(member(entry, name))).find((found) => found !== undefined)
      : asText(entry);
    return text === undefined ? [] : [text];
  });
};

/** An identifier: a number or a non-empty string. */
export const readId = (value: unknown): string | number | undefined =>
  (typeof value === 'string' && value.trim() !== '') || (typeof value === 'number' && Number.isFinite(value))
    ? value
    : undefined;
