import { resources, type ServiceResource } from '@vitrine/contract/service';
import type { z } from 'zod';
import { fieldName, invalidFields, type RefusedField } from '../http/portalFailure.ts';
import { issueMessage } from './issueMessage.ts';

const refusedFields = (issue: z.core.$ZodIssue, prefix: string): RefusedField[] => {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      field: fieldName([...issue.path, key.slice(0, 64) || '""'], prefix),
      message: 'is not a field of this request',
    }));
  return [{ field: fieldName(issue.path, prefix) || 'body', message: problemOf(issue) }];
};

/** How values are parsed: each issue has its message, and its value. */
export const parsing = { error: issueMessage, reportInput: true };

/** Describes an issue, to follow the field's name. */
export const problemOf = (issue: z.core.$ZodIssue): string =>
  // A rule over several fields has its own message.
  issue.code !== 'custom' && issue.input === undefined ? 'is required' : issue.message;

/** Maximum number of fields in a refusal. */
const maxNamed = 20;

/** Parses a value, or throws a 400 with each field by its name in the request. */
export const validate = <TSchema extends z.ZodType>(
  schema: TSchema,
  value: unknown,
  prefix = '',
): z.output<TSchema> => {
  const parsed = schema.safeParse(value, parsing);
  if (parsed.success) return parsed.data;
  throw invalidFields(
    parsed.error.issues.flatMap((issue) => refusedFields(issue, prefix)).slice(0, maxNamed),
  );
};

/** Rejects changed read-only fields: a returned row may be sent back whole, if they are unchanged. */
export const rejectReadOnlyChanges = (
  resource: 'user' | 'organizationUnit',
  row: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): void => {
  const { fields }: ServiceResource = resources[resource];
  const changed = Object.entries(fields)
    .filter(([name, { create }]) => create === undefined && patch[name] !== undefined)
    .filter(([name]) => patch[name] !== row[name]);
  if (changed.length > 0)
    throw invalidFields(
      changed.map(([field]) => ({
        field,
        message: `is read-only and is ${JSON.stringify(row[field])}; omit it, or read the row again and send it unchanged`,
      })),
    );
};
