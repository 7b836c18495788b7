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
