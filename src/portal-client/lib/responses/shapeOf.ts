import { createRedactor } from '../createRedactor.ts';
import { isRecord } from './jsonValues.ts';

const redact = createRedactor([]);
const maxNames = 12;

/** The shape of a value: member names and types, never values. */
export const shapeOf = (value: unknown, depth = 0): string => {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${shapeOf(value[0], depth)}]`;
  if (!isRecord(value)) return typeof value;
  if (depth === 3) return '{ … }';
  const names = Object.keys(value);
  const members = names
    .slice(0, maxNames)
    .map((name) => `${redact(name.slice(0, 40))}: ${shapeOf(value[name], depth + 1)}`);
  return `{ ${[...members, ...(names.length > maxNames ? ['…'] : [])].join(', ')} }`;
};
