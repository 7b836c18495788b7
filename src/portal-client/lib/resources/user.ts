import type { UserType } from '@vitrine/contract/service';
import { isRecord, member } from '../responses/jsonValues.ts';
import { isTextList, readFields, readId } from '../responses/readFields.ts';
import type { RowReader } from './resourceTools.ts';

/** Identifier of a user in paths (docs/interface.md#2.1): a number or a string, depending on the service. */
export type UserId = string | number;

/**
 * A user as the service returns it. The interface only shows the sent fields (2.1), so every field except `id` may be
 * absent. Assumed from `gaps.md`: the sent fields come back, with `id`, displayName, isActive and times.
 */
export interface User {
  readonly id: UserId;
  readonly type?: UserType;
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  /** Role names. */
  readonly roles?: readonly string[];
  /** Identifiers of organizational units. */
  readonly organizationUnits?: readonly string[];
  readonly displayName?: string;
  readonly isActive?: boolean;
  /** ISO 8601. */
  readonly createdAt?: string | null;
  /** ISO 8601. */
  readonly updatedAt?: string | null;
  /** ISO 8601; null if the user has never signed in. */
  readonly lastLoginAt?: string | null;
  /** Other fields that the service returns; not in the interface. */
  readonly [field: string]: unknown;
}

/** Reads a user. */
export const userReader: RowReader<User> = {
  noun: 'user',
  read: (value) => {
    if (!isRecord(value) || ![value['roles'], value['organizationUnits']].every(isTextList)) return undefined;
    const id = readId(member(value, 'id'));
    return id === undefined ? undefined : { ...readFields(value, fields), id };
  },
  idOf: (user) => String(user.id),
};

const fields = {
  type: 'text',
  email: 'text',
  firstName: 'text',
  lastName: 'text',
  roles: 'texts',
  organizationUnits: 'texts',
  displayName: 'text',
  isActive: 'boolean',
  createdAt: 'textOrNull',
  updatedAt: 'textOrNull',
  lastLoginAt: 'textOrNull',
} as const;
