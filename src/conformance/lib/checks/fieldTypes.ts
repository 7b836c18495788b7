import { must } from '../difference.ts';
import type { Fields } from '../readers.ts';

/** Whether a value has the type that the interface states. */
export type FieldTest = (value: unknown) => boolean;

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;

export const isText: FieldTest = (value) => typeof value === 'string';
export const isBoolean: FieldTest = (value) => typeof value === 'boolean';
export const isInteger: FieldTest = (value) => Number.isSafeInteger(value);
export const isTextList: FieldTest = (value) => Array.isArray(value) && value.every(isText);
export const isGuid: FieldTest = (value) => typeof value === 'string' && guid.test(value);
export const isInstant: FieldTest = (value) =>
  typeof value === 'string' && instant.test(value) && !Number.isNaN(Date.parse(value));
export const isUtcInstant: FieldTest = (value) => isInstant(value) && String(value).endsWith('Z');
export const orNull =
  (test: FieldTest): FieldTest =>
  (value) =>
    value === null || test(value);
export const isOneOf =
  (...allowed: readonly unknown[]): FieldTest =>
  (value) =>
    allowed.includes(value);

/** Throws unless every present, non-null field has its type: the interface does not show which fields are returned. */
export const mustMatchWherePresent = (resource: Fields, tests: Readonly<Record<string, FieldTest>>): void => {
  for (const [name, test] of Object.entries(tests)) {
    const value = resource[name];
    must(value === undefined || value === null || test(value), `${name} of the stated type`, {
      [name]: value,
    });
  }
};

/** Throws unless every field is present and has its type. */
export const mustHaveAll = (resource: Fields, tests: Readonly<Record<string, FieldTest>>): void => {
  for (const [name, test] of Object.entries(tests))
    must(name in resource && test(resource[name]), `a ${name} of its type`, resource[name] ?? resource);
};
