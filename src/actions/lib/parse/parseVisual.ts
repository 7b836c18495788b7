import type { ActionField, ActionRow } from '@vitrine/contract';
import { isObject, isPlainValue, type JsonObject, plainText } from './plainChecks.ts';

/** Properties of a field by their names in a target; if two names mean one property, the last counts. */
const targetNames = [
  ['table', 'table'],
  ['column', 'column'],
  ['measure', 'measure'],
  ['hierarchy', 'hierarchy'],
  ['level', 'level'],
  ['hierarchyLevel', 'level'],
  ['aggregationFunction', 'aggregation'],
] as const;

/** Reads one entry of `identity` or `values`. A value that is not plain becomes JSON text. */
const parseField = (entry: unknown, valueName: 'equals' | 'value'): ActionField | undefined => {
  if (!isObject(entry)) return undefined;
  const { formattedValue } = entry;
  const target = isObject(entry['target']) ? entry['target'] : {};
  const named = targetNames.map(([from, to]) => [to, target[from] ?? undefined] as const);
  const given = named.filter(([, name]) => name !== undefined);
  const texts = given.filter(([, name]) => typeof name === 'string');
  const isNamed = texts.some(([to]) => to === 'column' || to === 'measure' || to === 'level');
  const value = entry[valueName] ?? null;
  const isParsed = isPlainValue(value) && isNamed && texts.length === given.length;
  return {
    ...Object.fromEntries(texts),
    value: isPlainValue(value) ? value : JSON.stringify(value),
    ...(!isParsed && { isUnparsed: true }),
    ...(typeof formattedValue === 'string' && { formattedValue }),
  };
};

const parseFields = (entries: unknown, valueName: 'equals' | 'value') => {
  const isAbsent = entries === undefined || entries === null;
  const parsed = Array.isArray(entries) ? entries.map((entry) => parseField(entry, valueName)) : [];
  const fields = parsed.filter((field) => field !== undefined);
  const isWhole = fields.length === parsed.length && fields.every(({ isUnparsed }) => !isUnparsed);
  return { fields, isComplete: isWhole && (isAbsent || Array.isArray(entries)) };
};

/** Reads one data point. Unreadable parts are omitted and flagged in the row. */
const parseRow = (point: unknown): ActionRow => {
  if (!isObject(point)) return { identity: [], values: [], isUnparsed: true };
  const identity = parseFields(point['identity'], 'equals');
  const values = parseFields(point['values'], 'value');
  const isNamed = identity.fields.length + values.fields.length > 0;
  return {
    identity: identity.fields,
    values: values.fields,
    ...(!(identity.isComplete && values.isComplete && isNamed) && { isUnparsed: true }),
  };
};

/**
 * Reads the selection in one visual; `name` is the fallback for its ID. It is cleared if `data` is empty or `null`. Never
 * throws.
 */
export const parseVisual = (entry: unknown, name: string) => {
  const { data, visual }: JsonObject = isObject(entry) ? entry : {};
  const rows = Array.isArray(data) ? data.map(parseRow) : [];
  const isKnown = data === null || Array.isArray(data);
  return {
    visual: plainText(visual) || name,
    rows,
    isCleared: isKnown && rows.length === 0,
    isUnparsed: !isKnown || rows.some(({ isUnparsed }) => isUnparsed),
  };
};
