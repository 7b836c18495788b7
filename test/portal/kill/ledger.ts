/** What the portal has said about a user of the writers. */
export interface UserEntry {
  readonly id: string;
  /** Changes that were acknowledged. */
  version: number;
  /** Whether the request under way when the portal died was a removal. */
  state: 'there' | 'removed' | 'removal in doubt';
}

/** Everything the portal has acknowledged. */
export interface Ledger {
  readonly users: Map<string, UserEntry>;
  readonly roleIds: Set<string>;
  readonly unitIds: Set<string>;
  readonly syncedUnitIds: Set<string>;
  /** Rows that were there before anybody wrote. */
  readonly seeded: {
    readonly users: ReadonlySet<string>;
    readonly roles: ReadonlySet<string>;
    readonly units: ReadonlySet<string>;
  };
}

/** Roles and units that a user has after so many changes: all of one request, or none of it. */
export const belongings = (version: number) => ({
  lastName: `v${version}`,
  roles: version % 2 === 0 ? ['Region North', 'Viewer'] : ['Viewer'],
  organizationUnits: version % 2 === 0 ? ['1', '2'] : ['1'],
});

/** The number of changes that a user shows. */
export const versionOf = (lastName: string): number => Number(lastName.slice(1));
