import {
  type ResourceName,
  resources,
  type ServiceField,
  type ServiceResource,
} from '@vitrine/contract/service';
import type { ComponentProps } from 'react';
import type { Row } from './api.ts';
import type { Source } from './sources.ts';

/** One option of a choice. */
export type Option = readonly [value: string, text: string];

/** One field of a form. Its `type` may be `number`, whose values are numbers. */
export interface FormField
  extends Pick<ComponentProps<'input'>, 'type' | 'inputMode' | 'maxLength' | 'min' | 'max' | 'placeholder'> {
  readonly name: string;
  /** Default: made of the name. */
  readonly label?: string;
  readonly kind: 'text' | 'long' | 'choice' | 'search' | 'many' | 'suggested' | 'check' | 'list';
  readonly hint?: string;
  readonly isRequired?: boolean;
  /** Whether it is set once, with a new row. */
  readonly isFixed?: boolean;
  readonly isNullable?: boolean;
  /** Value of a new row. */
  readonly value?: unknown;
  readonly options?: readonly Option[];
  /** What `search` and `many` choose from, besides the `options`, and what `suggested` suggests. */
  readonly source?: Source;
  /** Fields of each entry of a `list`. */
  readonly fields?: readonly FormField[];
  /** Whether the field is shown and part of the values. Default: always. */
  readonly shownIf?: (values: Row) => boolean;
}

/** Options whose texts are their values. */
export const plainOptions = (texts: readonly string[]): readonly Option[] =>
  texts.map((text) => [text, text]);

const kinds: Partial<Record<ServiceField['kind'], FormField['kind']>> = {
  boolean: 'check',
  choice: 'choice',
  names: 'many',
  list: 'list',
};

/** A field that rows need with a value of another field, and that others do not have. */
const neededWith = (name: string, value: string): Partial<FormField> => ({
  isRequired: true,
  shownIf: (values) => values[name] === value,
});

const toFormField = (name: string, field: ServiceField): FormField => ({
  name,
  kind: kinds[field.kind] ?? (field.kind === 'text' && (field.maxLength ?? 0) >= 1000 ? 'long' : 'text'),
  // Not the type: browsers reject internationalized addresses, which the portal accepts.
  inputMode: field.kind === 'email' ? 'email' : undefined,
  isRequired: field.create === 'required',
  isFixed: field.change === false,
  isNullable: field.nullable === true,
  maxLength: field.maxLength,
  ...(field.default !== undefined && { value: field.default }),
  ...(field.requiredWith !== undefined && neededWith(...field.requiredWith)),
  ...(field.values !== undefined && { options: plainOptions(field.values) }),
  ...(field.fields !== undefined && {
    fields: Object.entries(field.fields).map(([part, one]) => toFormField(part, one)),
  }),
});

/** The fields of a resource's form, from its table. `more` adds to them, by name; null leaves one out. */
export const fieldsOf = (
  resource: ResourceName,
  more: Readonly<Record<string, Partial<FormField> | null>> = {},
): readonly FormField[] => {
  const { fields }: ServiceResource = resources[resource];
  return Object.entries(fields)
    .filter(([name, { create }]) => create !== undefined && more[name] !== null)
    .map(([name, field]) => ({ ...toFormField(name, field), ...more[name] }));
};

/** What a field holds before anything is entered. */
const emptyValue = ({ kind, value, options }: FormField): unknown => {
  if (value !== undefined) return value;
  if (kind === 'many' || kind === 'list') return [];
  if (kind === 'check') return false;
  return kind === 'choice' ? (options?.[0]?.[0] ?? '') : '';
};

/** The values of a form for a row, or for a new one. */
export const valuesOf = (fields: readonly FormField[], row?: Row): Row =>
  Object.fromEntries(fields.map((field) => [field.name, row?.[field.name] ?? emptyValue(field)]));

/** The fields that are shown with these values. */
export const shownFields = (fields: readonly FormField[], values: Row): readonly FormField[] =>
  fields.filter(({ shownIf }) => shownIf?.(values) !== false);

/** The values of the fields that are shown, as the portal takes them. A field that is left empty is null, or not sent. */
export const bodyOf = (fields: readonly FormField[], values: Row): Row =>
  Object.fromEntries(
    shownFields(fields, values).flatMap(({ name, type, value: first, isNullable = false }) => {
      // Spaces around what was typed are not meant. What was not edited is not sent.
      const given = values[name];
      const value = typeof given === 'string' ? given.trim() : given;
      if (value === '' && isNullable) return [[name, null]];
      if (value === '' && first !== '') return [];
      return [[name, type === 'number' ? Number(value) : value]];
    }),
  );
