/** What happens to each kind of thing; the interface gives `UserCreated`, `RoleUpdated` and `ReportExported` as examples (6.2). */
const events = {
  User: ['Created', 'Updated', 'Deleted'],
  Role: ['Created', 'Updated', 'Removed'],
  OrganizationUnit: ['Created', 'Synced', 'Updated', 'Removed'],
  Item: ['Imported', 'Updated', 'Removed'],
  Report: ['Viewed', 'Exported'],
  Key: ['Created', 'Revoked'],
  Task: ['Created', 'Updated', 'Removed', 'Executed', 'Failed'],
  ApiKey: ['Created', 'Revoked'],
  Directory: ['Updated'],
  Tenant: ['Created', 'Updated'],
} as const;
type Events = typeof events;

/** Type of an event that this portal writes. */
export type AuditActionType = { [TKey in keyof Events]: `${TKey}${Events[TKey][number]}` }[keyof Events];

/** Every {@link AuditActionType}. */
export const auditActionTypes: readonly string[] = Object.entries(events).flatMap(([thing, verbs]) =>
  verbs.map((verb) => thing + verb),
);
