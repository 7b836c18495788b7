import type { UserType } from '@vitrine/contract';
import { firstMember, isRecord } from '../dialect/json.ts';
import { readFields, readId } from '../dialect/readFields.ts';
import type { RowReader } from './resourceTools.ts';

/** Identifier of a user in paths (docs/interface.md#2.1): a number or a text, whichever the service gives. */
export type UserId = string | number;

/**
 * A user as the service returns it. The interface shows only what is sent (2.1), so every field but `id` may be absent.
 * Assumed from `gaps.md`: the sent fields come back, with `id` (or `userId`), displayName, isActive and times.
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
  /** ISO 8601; null when the user never signed in. */
  readonly lastLoginAt?: string | null;
  /** Whatever else the service returns; not shown in the interface. */
  readonly [field: string]: unknown;
}

/** Reads a user out of what the service returned. */
export const userReader: RowReader<User> = {
  noun: 'user',
  read: (value) => {
    if (!isRecord(value)) return undefined;
    const id = firstMember(value, ['id', 'userId'], readId);
    return id === undefined ? undefined : { ...readFields(value, fields), id };
  },
  idOf: (user) => String(user.id),
};

const fields = {
  type: 'text',
  email: 'text',
  firstName: 'text',
  lastName: 'text',
  roles: 'names',
  organizationUnits: 'ids',
  displayName: 'text',
  isActive: 'boolean',
  createdAt: 'textOrNull',
  updatedAt: 'textOrNull',
  lastLoginAt: 'textOrNull',
} as const;
