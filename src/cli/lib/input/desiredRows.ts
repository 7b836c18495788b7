import type { ItemInput, RoleInput } from '@vitrine/contract/service';
import type { DesiredOrganizationUnit } from '@vitrine/portal-client';
import { UsageError } from '../output/usageError.ts';

type Row = Readonly<Record<string, unknown>>;

const text = (row: Row, name: string, what: string): string => {
  const value = row[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new UsageError(`${what} has no ${name}: ${JSON.stringify(row).slice(0, 120)}`);
};

/** A text of a row; undefined if it is missing or null. Throws for a value of another type. */
const optionalText = (row: Row, name: string): string | undefined => {
  const value = row[name] ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw new UsageError(`${name} is not a string: ${JSON.stringify(row).slice(0, 120)}`);
};

const texts = (row: Row, name: string): readonly string[] => {
  const value = row[name] ?? [];
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value;
  throw new UsageError(`${name} is not a list of strings: ${JSON.stringify(row).slice(0, 120)}`);
};

/** Reads a role from a row of a file. */
export const readRole = (row: Row): RoleInput => {
  const code = optionalText(row, 'code');
  const description = optionalText(row, 'description');
  return {
    name: text(row, 'name', 'A role'),
    type: text(row, 'type', 'A role'),
    ...(code !== undefined && { code }),
    ...(description !== undefined && { description }),
  };
};

/** Reads an organizational unit from a row of a file. */
export const readUnit = (row: Row): DesiredOrganizationUnit => ({
  path: text(row, 'path', 'An organizational unit'),
  directoryGroupId: optionalText(row, 'directoryGroupId'),
});

/** Reads an item from a row of a file. */
export const readItem = (row: Row): ItemInput => ({
  type: optionalText(row, 'type') ?? 'report',
  workspaceId: text(row, 'workspaceId', 'An item'),
  reportId: text(row, 'reportId', 'An item'),
  displayName: text(row, 'displayName', 'An item'),
  roles: texts(row, 'roles'),
});
