/** Kinds of role in the interface (2.2). */
export const roleTypes = ['System', 'Report', 'RLS'] as const;

/** Kind of a role; unknown kinds of a newer service are kept as text. */
export type RoleType = (typeof roleTypes)[number] | (string & {});

/** Fields sent to create a role (docs/interface.md#2.2, #4.2). */
export interface RoleInput {
  readonly name: string;
  readonly type: RoleType;
  /** Required for RLS roles: the value used in `roleNames` when a key is created. */
  readonly code?: string | null;
  readonly description?: string;
}
