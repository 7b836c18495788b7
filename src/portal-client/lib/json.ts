/** A JSON object with unknown fields. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object (no array, no null). */
export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An own member of a record, not an inherited one such as `constructor`. */
export const member = (record: JsonRecord, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** The first of several names whose value passes `accept`. */
export const firstMember = <TValue>(
  record: JsonRecord,
  names: readonly string[],
  accept: (value: unknown) => TValue | undefined,
): TValue | undefined => {
  for (const name of names) {
    const value = accept(member(record, name));
    if (value !== undefined) return value;
  }
  return undefined;
};

/** A string, or a number or boolean as text; otherwise undefined. */
export const asText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
};

/** A non-empty string. */
export const asFilledText = (value: unknown): string | undefined => {
  const text = asText(value);
  return text === undefined || text.trim() === '' ? undefined : text;
};

/** A count: a whole number from 0, or its text. */
export const asCount = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
};
