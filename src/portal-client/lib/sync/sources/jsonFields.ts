import { type JsonRecord, member } from '../../responses/jsonValues.ts';
import { sourceError, startOf } from './readText.ts';

/** A text of a record; undefined if it is missing or null. Throws for a value of another type. */
export const textField = (record: JsonRecord, name: string, origin: string): string | undefined => {
  const value = member(record, name) ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw sourceError(
    'json_value',
    `${startOf(origin)} of the JSON has ${JSON.stringify(value).slice(0, 20)} for ${name}, which is not text. Put text in quotes.`,
  );
};
