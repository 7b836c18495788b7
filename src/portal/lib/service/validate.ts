import type { z } from 'zod';
import { fieldName, invalidFields, type RefusedField } from '../http/portalFailure.ts';
import { issueMessage } from './issueMessage.ts';

/** Whether the value of an issue is missing. */
const isMissing = (value: unknown, path: readonly PropertyKey[]): boolean => {
  let part = value;
  for (const name of path) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return true;
    part = Reflect.get(part, name);
  }
  return part === undefined;
};

const refusedFields = (issue: z.core.$ZodIssue, value: unknown, prefix: string): RefusedField[] => {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      field: fieldName([...issue.path, key.slice(0, 64) || '""'], prefix),
      message: 'is not a field of this request',
    }));
  return [{ field: fieldName(issue.path, prefix) || 'body', message: problemOf(issue, value) }];
};

/** Describes an issue in a value, to follow the field's name. */
export const problemOf = (issue: z.core.$ZodIssue, value: unknown): string =>
  // A rule over several fields has its own message.
  issue.code !== 'custom' && isMissing(value, issue.path) ? 'is required' : issue.message;

/** Maximum number of fields in a refusal. */
const maxNamed = 20;

/** Parses a value, or throws a 400 with each field by its name in the request. */
export const validate = <TSchema extends z.ZodType>(
  schema: TSchema,
  value: unknown,
  prefix = '',
): z.output<TSchema> => {
  const parsed = schema.safeParse(value, { error: issueMessage });
  if (parsed.success) return parsed.data;
  throw invalidFields(
    parsed.error.issues.flatMap((issue) => refusedFields(issue, value, prefix)).slice(0, maxNamed),
  );
};
