/** Event types the portal of this project writes; the interface states three of them as examples (6.2). Any text may arrive. */
export const auditActionTypes = [
  'UserCreated',
  'UserUpdated',
  'UserDeleted',
  'RoleCreated',
  'RoleUpdated',
  'OrganizationUnitCreated',
  'OrganizationUnitSynced',
  'OrganizationUnitUpdated',
  'OrganizationUnitRemoved',
  'ItemImported',
  'ItemRemoved',
  'ReportViewed',
  'ReportExported',
  'KeyCreated',
  'KeyRevoked',
  'TaskExecuted',
  'TaskFailed',
] as const;

/** Event type of an audit record; unknown types are kept as text. */
export type AuditActionType = (typeof auditActionTypes)[number] | (string & {});

/** Page size of `GET /v1/audit-logs` when none is given (docs/interface.md#8). */
export const defaultPageSize = 50;

/** Largest page size of `GET /v1/audit-logs` (docs/interface.md#8). */
export const maxPageSize = 200;
