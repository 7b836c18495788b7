import type { ActionReply } from '../inbox/actionInbox.ts';

/** Largest result of a handler, as JSON, in bytes. */
const maxResultBytes = 256 * 1024;

const replyNames: ReadonlySet<string> = new Set<keyof ActionReply>(['result', 'message', 'refresh']);

const problemOf = (name: string, value: unknown): string | undefined => {
  if (!replyNames.has(name)) return `it has a field ${JSON.stringify(name.slice(0, 60))}`;
  if (name === 'message' && typeof value !== 'string')
    return `"message" is of type ${typeof value}, not a text`;
  if (name === 'refresh' && typeof value !== 'boolean')
    return `"refresh" is of type ${typeof value}, not true or false`;
  if (name !== 'result') return undefined;
  const text = JSON.stringify(value) as string | undefined; // the declared type leaves out functions and symbols
  if (text === undefined) return `"result" is of type ${typeof value}, which JSON cannot hold`;
  const bytes = Buffer.byteLength(text);
  return bytes > maxResultBytes
    ? `"result" has ${bytes} bytes as JSON; the limit is ${maxResultBytes}`
    : undefined;
};

/** What of a handler's return value the viewers get; `onProblem` hears of each part that they do not get. */
export const checkReply = (given: unknown, onProblem: (problem: string) => void): ActionReply | undefined => {
  if (given === undefined || given === null) return undefined;
  if (typeof given !== 'object' || Array.isArray(given)) {
    onProblem(`it is ${Array.isArray(given) ? 'a list' : `of type ${typeof given}`}, not an object`);
    return undefined;
  }
  const kept = Object.entries(given).filter(([name, value]) => {
    const problem = value === undefined ? undefined : problemOf(name, value);
    if (problem !== undefined) onProblem(problem);
    return value !== undefined && problem === undefined;
  });
  return Object.fromEntries(kept);
};
