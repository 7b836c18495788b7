import { firstMember, isRecord, member } from '../dialect/json.ts';
import { readFields, readId } from '../dialect/readFields.ts';
import type { RowReader } from './resourceTools.ts';

/**
 * An organizational unit as the service returns it. The interface shows only what is sent (2.3).
 * Assumed from `gaps.md`: the sent fields come back, with `id`, memberCount and path.
 */
export interface OrganizationUnit {
  /** Always a text, also when the service gives a number. */
  readonly id: string;
  readonly name?: string;
  /** Identifier of the parent; `root`, null or nothing at the top. */
  readonly parentId?: string | null;
  /** GUID of the linked security group, or null. */
  readonly directoryGroupId?: string | null;
  readonly memberCount?: unknown;
  readonly path?: unknown;
  /** Whatever else the service returns; not shown in the interface. */
  readonly [field: string]: unknown;
}

/** What a synchronization with the identity directory answered; the interface does not show it (4.3). */
export interface OrganizationUnitSync {
  readonly syncId?: string;
  readonly status?: string;
  readonly added?: unknown;
  readonly updated?: unknown;
  readonly removed?: unknown;
  readonly [field: string]: unknown;
}

/** Reads an organizational unit out of what the service returned. */
export const organizationUnitReader: RowReader<OrganizationUnit> = {
  noun: 'organizational unit',
  read: (value) => {
    if (!isRecord(value)) return undefined;
    const id = firstMember(value, ['id', 'ouId', 'organizationUnitId'], readId);
    return id === undefined ? undefined : { ...readFields(value, fields), id: String(id) };
  },
  idOf: (unit) => unit.id,
};

const fields = { name: 'text', parentId: 'textOrNull', directoryGroupId: 'textOrNull' } as const;

/** Reads the answer of a synchronization; an empty one is an empty record. */
export const readOrganizationUnitSync = (value: unknown): OrganizationUnitSync => {
  if (!isRecord(value)) return {};
  const syncId = readId(member(value, 'syncId'));
  return {
    ...readFields(value, { status: 'text', syncId: 'text' }),
    ...(syncId !== undefined && { syncId: String(syncId) }),
  };
};
