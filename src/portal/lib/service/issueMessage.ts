import type { z } from 'zod';

/**
 * Describes the problem of a field, to follow its name: `must be a number, not a string`. Undefined if the schema's own
 * message fits better. Never quotes sent text, which may be a secret.
 */
export const issueMessage = (issue: z.core.$ZodRawIssue): string | undefined => {
  if (issue.code === 'invalid_type')
    return `must be ${kindNames[issue.expected] ?? issue.expected}, not ${kindOf(issue.input)}`;
  if (issue.code === 'invalid_union' && issue.discriminator !== undefined)
    return 'must be one of the documented values';
  if (issue.code === 'invalid_value') return `must be ${oneOf(issue.values)}`;
  if (issue.code === 'too_small')
    return issue.origin === 'string' && issue.minimum === 1
      ? 'must not be empty'
      : limit(issue.inclusive === false ? 'more than' : 'at least', issue.minimum, issue.origin);
  if (issue.code === 'too_big')
    return limit(issue.inclusive === false ? 'less than' : 'at most', issue.maximum, issue.origin);
  return undefined;
};

const kindNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

const oneOf = (values: readonly unknown[]): string =>
  values
    .map((value) => JSON.stringify(value))
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ');

const kindOf = (input: unknown): string => {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'an array';
  if (typeof input === 'number' || typeof input === 'boolean') return String(input);
  return kindNames[typeof input] ?? typeof input;
};

const limit = (bound: string, size: number | bigint, origin: string): string => {
  if (origin === 'string') return `must be ${bound} ${size} characters`;
  if (origin === 'array') return `must have ${bound} ${size} entries`;
  return `must be ${bound} ${size}`;
};
