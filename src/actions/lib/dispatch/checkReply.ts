import type { ActionReply } from '../inbox/actionInbox.ts';
import { jsonOf } from '../jsonOf.ts';

/** Largest part of a reply, as JSON, in bytes. */
const maxPartBytes = 256 * 1024;

const expected: Readonly<Record<string, readonly [type: string, words: string]>> = {
  message: ['string', 'a string'],
  refresh: ['boolean', 'true or false'],
};

const problemOf = (name: string, value: unknown, json: string | undefined): string | undefined => {
  const [type, words] = expected[name] ?? [];
  if (type === undefined && name !== 'result')
    return `it has an unknown field ${JSON.stringify(name.slice(0, 60))}`;
  if (type !== undefined && typeof value !== type)
    return `"${name}" is of type ${typeof value}, not ${words}`;
  if (json === undefined) return `"${name}" is of type ${typeof value}, which JSON does not support`;
  const bytes = Buffer.byteLength(json);
  if (bytes > maxPartBytes) return `"${name}" has ${bytes} bytes as JSON; the limit is ${maxPartBytes}`;
  return undefined;
};

/** What of a handler's return value the viewers get, as plain JSON; `onProblem` hears of each part that they do not get. */
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
