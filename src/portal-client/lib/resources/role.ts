import type { RoleType } from '@vitrine/contract/service';
import { asFilledText, firstMember, isRecord, member } from '../responses/jsonValues.ts';
import { readFields, readId } from '../responses/readFields.ts';
import type { RowReader } from './resourceTools.ts';

/**
 * A role as the service returns it. The interface only shows the sent fields (2.2). Assumed from `gaps.md`: the sent
 * fields come back, with `id` and isSystem; a missing `code` is accepted.
 */
export interface Role {
  /** Undefined if the service returns none; roles are then identified by `code` or `name`. */
  readonly id?: string | number;
  readonly name?: string;
  readonly type?: RoleType;
  /** For RLS roles: the value for `roleNames` when a key is created. */
  readonly code?: string | null;
  readonly description?: string | null;
  readonly isSystem?: boolean;
  /** Other fields that the service returns; not in the interface. */
  readonly [field: string]: unknown;
}

/** Reads a role: any object with an identifier, a name or a code. */
export const roleReader: RowReader<Role> = {
  noun: 'role',
  read: (value) => {
    if (!isRecord(value)) return undefined;
    const id = readId(member(value, 'id'));
    const role = readFields(value, fields);
    if (id === undefined && firstMember(role, ['code', 'name'], asFilledText) === undefined) return undefined;
    return { ...role, ...(id !== undefined && { id }) };
  },
  idOf: (role) => {
    const own = role.id ?? role.code ?? role.name;
    return own === undefined ? undefined : String(own);
  },
};

const fields = {
  name: 'text',
  type: 'text',
  code: 'textOrNull',
  description: 'textOrNull',
  isSystem: 'boolean',
} as const;
