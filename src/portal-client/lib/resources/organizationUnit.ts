import { isRecord, member } from '../responses/jsonValues.ts';
import { readFields, readId } from '../responses/readFields.ts';
import type { RowReader } from './resourceTools.ts';

/**
 * An organizational unit as the service returns it. The interface only shows the sent fields (2.3). Assumed from
 * `gaps.md`: the sent fields come back, with `id`, memberCount and path.
 */
export interface OrganizationUnit {
  /** Always a string, even if the service returns a number. */
  readonly id: string;
  readonly name?: string;
  /** Identifier of the parent; `root`, null or undefined at the top. */
  readonly parentId?: string | null;
  /** GUID of the linked security group, or null. */
  readonly directoryGroupId?: string | null;
  readonly memberCount?: unknown;
  readonly path?: unknown;
  /** Other fields that the service returns; not in the interface. */
  readonly [field: string]: unknown;
}

/** The result of a synchronization with the identity directory; the interface does not show it (4.3). */
export interface OrganizationUnitSync {
  readonly syncId?: string;
  readonly status?: string;
  readonly added?: unknown;
  readonly updated?: unknown;
  readonly removed?: unknown;
  readonly [field: string]: unknown;
}

/** Reads an organizational unit. */
export const organizationUnitReader: RowReader<OrganizationUnit> = {
  noun: 'organizational unit',
  read: (value) => {
    if (!isRecord(value)) return undefined;
    const id = readId(member(value, 'id'));
    return id === undefined ? undefined : { ...readFields(value, fields), id: String(id) };
  },
  idOf: (unit) => unit.id,
};

const fields = { name: 'text', parentId: 'textOrNull', directoryGroupId: 'textOrNull' } as const;

/** Reads the result of a synchronization; an empty response is an empty record. */
export const readOrganizationUnitSync = (value: unknown): OrganizationUnitSync => {
  if (!isRecord(value)) return {};
  const syncId = readId(member(value, 'syncId'));
  return {
    ...readFields(value, { status: 'text', syncId: 'text' }),
    ...(syncId !== undefined && { syncId: String(syncId) }),
  };
};
