import type { RoleType } from '@vitrine/contract';
import { asFilledText, firstMember, isRecord } from '../dialect/json.ts';
import { readFields, readId } from '../dialect/readFields.ts';
import type { RowReader } from './resourceTools.ts';

/**
 * A role as the service returns it. The interface shows only what is sent (2.2).
 * Assumed from `gaps.md`: the sent fields come back, with `id` and isSystem; a missing `code` is accepted.
 */
export interface Role {
  /** Nothing when the service gives none; roles are then told apart by `code` or `name`. */
  readonly id?: string | number;
  readonly name?: string;
  readonly type?: RoleType;
  /** For RLS roles the value used in `roleNames` when a key is created. */
  readonly code?: string | null;
  readonly description?: string | null;
  readonly isSystem?: boolean;
  /** Whatever else the service returns; not shown in the interface. */
  readonly [field: string]: unknown;
}

/** Reads a role out of what the service returned: anything with an identifier, a name or a code. */
export const roleReader: RowReader<Role> = {
  noun: 'role',
  read: (value) => {
    if (!isRecord(value)) return undefined;
    const id = firstMember(value, ['id', 'roleId'], readId);
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
