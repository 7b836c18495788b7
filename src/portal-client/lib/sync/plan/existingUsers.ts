import { emailKey } from '@vitrine/contract/service';
import type { User, UserId } from '../../resources/user.ts';
import type { UserFieldValues } from '../desiredState.ts';
import { fieldsOf } from '../userFieldValues.ts';

/** The part of an existing user that planning needs. */
export interface ExistingUser {
  readonly userId: UserId;
  readonly email: string;
  readonly fields: UserFieldValues;
  readonly isProtected: boolean;
}

/** The users of the tenant by address key; users with the same key are in a list. */
export interface ExistingUsers {
  readonly byKey: Map<string, ExistingUser | readonly ExistingUser[]>;
  readonly count: number;
  readonly withoutEmail: number;
}

/** Reads the users of the tenant and keeps only the compared fields, with shared strings. */
export const readExistingUsers = async (
  users: AsyncIterable<User>,
  options: {
    readonly protect?: ((user: User) => boolean) | undefined;
    readonly onRead?: ((count: number) => void) | undefined;
  },
): Promise<ExistingUsers> => {
  const byKey = new Map<string, ExistingUser | readonly ExistingUser[]>();
  const share = createTextPool();
  let count = 0;
  let withoutEmail = 0;
  for await (const user of users) {
    count += 1;
    options.onRead?.(count);
    if (user.email === undefined || user.email.trim() === '') {
      withoutEmail += 1;
      continue;
    }
    const { type, roles, organizationUnits, ...names } = fieldsOf(user);
    const existing: ExistingUser = {
      userId: user.id,
      email: user.email,
      isProtected: options.protect?.(user) === true,
      fields: {
        ...names,
        ...(type !== undefined && { type: share(type) }),
        ...(roles !== undefined && { roles: roles.map(share) }),
        ...(organizationUnits !== undefined && { organizationUnits: organizationUnits.map(share) }),
      },
    };
    const key = emailKey(user.email);
    const other = byKey.get(key);
    byKey.set(key, other === undefined ? existing : [other, existing].flat());
  }
  return { byKey, count, withoutEmail };
};

/** Interns strings: a hundred thousand users share a few role names. */
const createTextPool = (): ((text: string) => string) => {
  const pool = new Map<string, string>();
  return (text) => {
    const known = pool.get(text);
    if (known !== undefined) return known;
    pool.set(text, text);
    return text;
  };
};
