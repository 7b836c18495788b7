import type { ActionReply } from '../inbox/actionInbox.ts';

/** Largest result of a handler, as JSON, in bytes. */
const maxResultBytes = 256 * 1024;

const problemOf = (name: string, value: unknown, json: string | undefined): string | undefined => {
  switch (name) {
    case 'message':
      return typeof value === 'string' ? undefined : `"message" is of type ${typeof value}, not a string`;
    case 'refresh':
      return typeof value === 'boolean'
        ? undefined
        : `"refresh" is of type ${typeof value}, not true or false`;
    case 'result': {
      if (json === undefined) return `"result" is of type ${typeof value}, which JSON does not support`;
      const bytes = Buffer.byteLength(json);
      if (bytes <= maxResultBytes) return undefined;
      return `"result" has ${bytes} bytes as JSON; the limit is ${maxResultBytes}`;
    }
    default:
      return `it has an unknown field ${JSON.stringify(name.slice(0, 60))}`;
  }
};

/**
 * What of a handler's return value the viewers get, as plain JSON; `onProblem` hears of each part that they do not get.
 * Throws for a value that cannot be written as JSON, which then fails its own event alone.
 */
export const checkReply = (given: unknown, onProblem: (problem: string) => void): ActionReply | undefined => {
  if (given === undefined || given === null) return undefined;
  if (typeof given !== 'object' || Array.isArray(given)) {
    onProblem(`it is ${Array.isArray(given) ? 'a list' : `of type ${typeof given}`}, not an object`);
    return undefined;
  }
  const kept = Object.entries(given).flatMap(([name, value]) => {
    const json = JSON.stringify(value) as string | undefined; // the declared type leaves out functions and symbols
    const problem = value === undefined ? undefined : problemOf(name, value, json);
    if (problem !== undefined) onProblem(problem);
    return problem === undefined && json !== undefined ? [[name, JSON.parse(json)] as const] : [];
  });
  return Object.fromEntries(kept);
};
