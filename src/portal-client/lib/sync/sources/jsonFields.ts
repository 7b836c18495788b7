import { type JsonRecord, member } from '../../dialect/jsonValues.ts';
import { sourceError, startOf } from './readText.ts';

/** A text of a record; undefined if it is missing or null. Throws for a value of another type. */
export const textField = (record: JsonRecord, name: string, origin: string): string | undefined => {
  const value = member(record, name) ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw valueError(origin, `${shown(value)} for ${name}, which is not text. Put text in quotes.`);
};

/** Rejects a value of `active` that is not a boolean: if the text "false" were ignored, a former user would count as active. */
export const checkActive = (record: JsonRecord, origin: string): void => {
  const active = member(record, 'active') ?? true;
  if (typeof active === 'boolean') return;
  const quoted = typeof active === 'string' && /^(?:true|false)$/i.test(active) ? active : undefined;
  throw valueError(
    origin,
    quoted === undefined
      ? `${shown(active)} for active. Write true or false, without quotes.`
      : `${shown(quoted)} in quotes for active: write ${quoted.toLowerCase()} without quotes.`,
  );
};

const shown = (value: unknown): string => JSON.stringify(value).slice(0, 20);

const valueError = (origin: string, problem: string) =>
  sourceError('json_value', `${startOf(origin)} of the JSON has ${problem}`);
