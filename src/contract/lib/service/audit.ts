/** Event types that this project's portal writes; the interface gives three as examples (6.2). Others may arrive. */
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

/** Default page size of `GET /v1/audit-logs` (docs/interface.md#8). */
export const defaultPageSize = 50;

/** Largest page size of `GET /v1/audit-logs` (docs/interface.md#8). */
export const maxPageSize = 200;
