import type { ActionReply } from '../inbox/actionInbox.ts';
import { jsonOf } from '../jsonOf.ts';

/** Largest part of a reply, as JSON, in bytes. */
const maxPartBytes = 256 * 1024;

/** Type and description of the parts of a reply; a result may be any JSON. */
const parts = new Map([
  ['result', undefined],
  ['message', { type: 'string', words: 'a string' }],
  ['refresh', { type: 'boolean', words: 'true or false' }],
]);

const problemOf = (name: string, value: unknown, json: string | undefined): string | undefined => {
  const part = parts.get(name);
  if (!parts.has(name)) return `it has an unknown field ${JSON.stringify(name.slice(0, 60))}`;
  if (part && typeof value !== part.type) return `"${name}" is of type ${typeof value}, not ${part.words}`;
  if (json === undefined) return `"${name}" is of type ${typeof value}, which JSON does not support`;
  const bytes = Buffer.byteLength(json);
  if (bytes > maxPartBytes) return `"${name}" has ${bytes} bytes as JSON; the limit is ${maxPartBytes}`;
  return undefined;
};

/**
 * The part of a handler's return value that the viewers get, as plain JSON. Calls `onProblem` for each part that they
 * do not get.
 */
export const checkReply = (given: unknown, onProblem: (problem: string) => void): ActionReply | undefined => {
  if (given === undefined || given === null) return undefined;
  if (typeof given !== 'object' || Array.isArray(given)) {
    onProblem(`it is ${Array.isArray(given) ? 'a list' : `of type ${typeof given}`}, not an object`);
    return undefined;
  }
  const kept = Object.entries(given).flatMap(([name, value]) => {
    const json = jsonOf(value);
    const problem = value === undefined ? undefined : problemOf(name, value, json);
    if (problem !== undefined) onProblem(problem);
    return problem === undefined && json !== undefined ? [[name, JSON.parse(json)] as const] : [];
  });
  return Object.fromEntries(kept);
};
