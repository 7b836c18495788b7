import type { z } from 'zod';
import { invalidFields, type RefusedField } from './portalFailure.ts';

const fieldName = (prefix: string, path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (name, part) =>
      typeof part === 'number' ? `${name}[${part}]` : name === '' ? String(part) : `${name}.${String(part)}`,
    prefix,
  );

const refusedFields = (issue: z.core.$ZodIssue, prefix: string): RefusedField[] => {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      field: fieldName(prefix, [...issue.path, key.slice(0, 64) || '""']),
      message: 'is not a field of this request',
    }));
  const isMissing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
  return [
    {
      field: fieldName(prefix, issue.path) || 'body',
      message: isMissing ? 'is required' : issue.message,
    },
  ];
};

/** Fields a refusal names at most. */
const maxNamed = 20;

/** Parses a value, or throws a 400 that names each field in the sender's own words. */
export const validate = <TSchema extends z.ZodType>(
  schema: TSchema,
  value: unknown,
  prefix = '',
): z.output<TSchema> => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidFields(
    parsed.error.issues.flatMap((issue) => refusedFields(issue, prefix)).slice(0, maxNamed),
  );
};
