import { type Row, shown } from './ask.ts';
import type { FormDialog, FormField } from './forms.ts';

type Rest<TKind extends FormField['kind']> = Partial<Omit<Extract<FormField, { kind: TKind }>, 'kind'>>;
type Options = Extract<FormField, { kind: 'choice' }>['options'];

/** A list field of a row, as strings. */
export const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(shown) : []);

/** A field of a row for a form; empty if missing. */
export const textOf = (row: Row | undefined, name: string): string => {
  const value = row?.[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** Strings as the options of a choice. */
export const optionsOf = (texts: readonly string[]): Options => texts.map((text) => [text, text]);

/** Fills the fields of a form from a row. A choice without a value gets the first option. */
export const fieldsOf = (row: Row | undefined) => ({
  text: (name: string, label: string, rest: Rest<'text'> = {}): FormField => {
    return { kind: 'text', name, label, value: textOf(row, name), ...rest };
  },
  choice: (name: string, label: string, rest: Rest<'choice'> & { readonly options: Options }): FormField => {
    return { kind: 'choice', name, label, value: textOf(row, name) || (rest.options[0]?.[0] ?? ''), ...rest };
  },
  many: (name: string, label: string, rest: Rest<'many'> & { readonly options: Options }): FormField => {
    return { kind: 'many', name, label, values: textsOf(row?.[name]), ...rest };
  },
});

/** Title and button of the form of a new row, or of the edited row `name`. */
export const titlesOf = (
  row: Row | undefined,
  one: string,
  name: string,
): Pick<FormDialog, 'title' | 'action'> =>
  row === undefined
    ? { title: `New ${one}`, action: `Create ${one}` }
    : { title: `Edit ${shown(row[name])}`, action: 'Save' };
