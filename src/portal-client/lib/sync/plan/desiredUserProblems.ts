import { quoteText } from '@vitrine/contract';
import { isEmailAddress, resources, userTypes } from '@vitrine/contract/service';
import { isRecord } from '../../responses/jsonValues.ts';
import type { DesiredUser } from '../desiredState.ts';

/** Why a row is not valid, or undefined. Rows come from files, so their types are checked too. */
export const problemOf = (row: DesiredUser): string | undefined => {
  if (!isRecord(row)) return 'it is not a record';
  const { email, type, firstName, lastName, roles, organizationUnits, active } = row;
  if (typeof email !== 'string' || email.trim() === '') return 'it has no email address';
  if (!isEmailAddress(email.trim())) return `its email address ${quoteText(email)} is not valid`;
  for (const [name, value] of Object.entries({ type, firstName, lastName }))
    if (value !== undefined && (typeof value !== 'string' || value.trim() === ''))
      return `its ${name} is empty or not a string; omit it to keep the value`;
  for (const [name, value] of Object.entries({ roles, organizationUnits }))
    if (value !== undefined && !isTextList(value)) return `its ${name} is not a list of strings`;
  if (active !== undefined && typeof active !== 'boolean')
    return `its active is ${shown(active)}, not true or false`;
  return undefined;
};

const shown = (value: unknown): string => {
  if (typeof value === 'string') return quoteText(value);
  return typeof value === 'object' && value !== null ? 'a list or a record' : String(value);
};

/** Which required fields (assumed from `gaps.md`) a new user lacks. */
export const missingForCreate = (row: DesiredUser): readonly string[] =>
  (['type', 'firstName', 'lastName'] as const).filter((name) => row[name] === undefined);

/** Why the service is likely to refuse a row, or undefined. The current type of a user is never refused. */
export const likelyRefusal = (row: DesiredUser, currentType?: string): string | undefined => {
  for (const [name, words] of [
    ['email', 'email address'],
    ['firstName', 'firstName'],
    ['lastName', 'lastName'],
  ] as const) {
    const { maxLength } = resources.user.fields[name];
    if ((row[name]?.trim().length ?? 0) > maxLength)
      return `its ${words} is longer than ${maxLength} characters`;
  }
  const { type } = row;
  if (type !== undefined && type !== currentType && !userTypes.some((known) => known === type))
    return `its type is ${JSON.stringify(type)}, not ${listOfTypes}`;
  return undefined;
};

const listOfTypes = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(userTypes);

const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((text) => typeof text === 'string' && text.trim() !== '');
