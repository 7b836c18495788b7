import type { UserInput } from '@vitrine/contract/service';
import type { User } from '../resources/user.ts';
import { type UserField, type UserFieldValues, userFields } from './desiredState.ts';

type FieldValue = string | readonly string[];

/** The compared fields of a user. */
export const fieldsOf = (user: User | UserInput): UserFieldValues => {
  const { type, firstName, lastName, roles, organizationUnits } = user;
  return {
    ...(type !== undefined && { type }),
    ...(firstName !== undefined && { firstName }),
    ...(lastName !== undefined && { lastName }),
    ...(roles !== undefined && { roles }),
    ...(organizationUnits !== undefined && { organizationUnits }),
  };
};

/** Whether two values of a field are equal: lists as sets, strings in any Unicode form. */
export const isSameValue = (one: FieldValue | undefined, other: FieldValue | undefined): boolean => {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  if (typeof one === 'string' || typeof other === 'string')
    return (
      typeof one === 'string' && typeof other === 'string' && one.normalize('NFC') === other.normalize('NFC')
    );
  const ones = new Set(one.map((text) => text.normalize('NFC')));
  const others = new Set(other.map((text) => text.normalize('NFC')));
  return ones.size === others.size && [...ones].every((text) => others.has(text));
};

/** The fields whose values in `desired` and `current` differ, including fields missing from `current`. */
export const differingFields = (desired: UserFieldValues, current: UserFieldValues): readonly UserField[] =>
  userFields.filter((field) => desired[field] !== undefined && !isSameValue(desired[field], current[field]));
