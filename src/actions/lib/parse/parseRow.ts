import type { ActionField, ActionRow } from '@vitrine/contract';
import { isObject, isPlainValue, type JsonObject } from './plainChecks.ts';

const textIn = (object: JsonObject, name: string): string | undefined => {
  const value = object[name];
  return typeof value === 'string' ? value : undefined;
};

/** Leaves out what is absent. */
const present = <TName extends string>(
  fields: Readonly<Record<TName, string | undefined>>,
): { readonly [TKey in TName]?: string } =>
  // What is left are the texts.
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [TKey in TName]?: string;
  };

const targetOf = (target: JsonObject) =>
  present({
    table: textIn(target, 'table'),
    column: textIn(target, 'column'),
    measure: textIn(target, 'measure'),
    hierarchy: textIn(target, 'hierarchy'),
    level: textIn(target, 'hierarchyLevel') ?? textIn(target, 'level'),
    aggregation: textIn(target, 'aggregationFunction'),
  });

/** Names in a target that are texts, where they are there at all. */
const targetNames = [
  'table',
  'column',
  'measure',
  'hierarchy',
  'hierarchyLevel',
  'level',
  'aggregationFunction',
];

/** Whether a target names something, and says all of it in texts. */
const isClearTarget = (target: JsonObject): boolean =>
  ['column', 'measure', 'hierarchyLevel', 'level'].some((name) => typeof target[name] === 'string') &&
  targetNames.every((name) => ['string', 'undefined'].includes(typeof (target[name] ?? undefined)));

/** A value as JSON text; `null` when it is nested too deeply to be written. */
const jsonText = (value: unknown): string | null => {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
};

/** Reads one entry of `identity` or `values`. A value that is not plain becomes its JSON text. */
const parseField = (entry: unknown, valueName: 'equals' | 'value'): ActionField | undefined => {
  if (!isObject(entry) || !isObject(entry['target'])) return undefined;
  const { target } = entry;
  const value = entry[valueName] ?? null;
  const isPlain = isPlainValue(value);
  return {
    ...targetOf(target),
    value: isPlain ? value : jsonText(value),
    ...(!(isPlain && isClearTarget(target)) && { isUnclear: true }),
    ...present({ formattedValue: textIn(entry, 'formattedValue') }),
  };
};

interface Fields {
  readonly fields: readonly ActionField[];
  readonly isComplete: boolean;
}

const parseFields = (entries: unknown, valueName: 'equals' | 'value'): Fields => {
  if (entries === undefined || entries === null) return { fields: [], isComplete: true };
  if (!Array.isArray(entries)) return { fields: [], isComplete: false };
  const fields = entries
    .map((entry) => parseField(entry, valueName))
    .filter((field): field is ActionField => field !== undefined);
  const isComplete = fields.length === entries.length && fields.every(({ isUnclear }) => !isUnclear);
  return { fields, isComplete };
};

/** Reads one data point of a visual. Never throws: what is not understood is left out, and the row says so. */
export const parseRow = (point: unknown): ActionRow => {
  if (!isObject(point)) return { identity: [], values: [], isUnclear: true };
  const identity = parseFields(point['identity'], 'equals');
  const values = parseFields(point['values'], 'value');
  const isNamed = identity.fields.length + values.fields.length > 0;
  return {
    identity: identity.fields,
    values: values.fields,
    ...(!(identity.isComplete && values.isComplete && isNamed) && { isUnclear: true }),
  };
};
