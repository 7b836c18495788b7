/** What the portal has acknowledged about a user of the writers. */
export interface UserEntry {
  readonly id: string;
  /** Changes that were acknowledged. */
  version: number;
  /** Whether the request in flight when the portal was killed was a removal. */
  state: 'there' | 'removed' | 'removal in doubt';
}

/** Everything the portal has acknowledged. */
export interface Ledger {
  readonly users: Map<string, UserEntry>;
  readonly roleIds: Set<string>;
  readonly unitIds: Set<string>;
  readonly syncedUnitIds: Set<string>;
  /** Rows that existed before anybody wrote. */
  readonly seeded: {
    readonly users: ReadonlySet<string>;
    readonly roles: ReadonlySet<string>;
    readonly units: ReadonlySet<string>;
  };
}

/** Roles and units of a user after that many changes: all of one request, or none of it. */
export const belongings = (version: number) => ({
  lastName: `v${version}`,
  roles: version % 2 === 0 ? ['Region North', 'Viewer'] : ['Viewer'],
  organizationUnits: version % 2 === 0 ? ['1', '2'] : ['1'],
});

/** The number of changes that a user shows. */
export const versionOf = (lastName: string): number => Number(lastName.slice(1));
