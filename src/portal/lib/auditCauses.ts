/** What causes each type of event, for the documentation. */
export const auditCauses = {
  UserCreated: 'POST /v1/users; a synchronization that finds a person without a user',
  UserUpdated: 'PATCH /v1/users/{userId}; a synchronization that finds another name or address',
  UserDeleted: 'DELETE /v1/users/{userId}, which also ends the keys of this viewer',
  RoleCreated: 'POST /v1/roles',
  RoleUpdated: 'PATCH …/roles/{roleId}; PUT …/roles/{code}/rule',
  RoleRemoved: 'DELETE …/roles/{roleId}',
  OrganizationUnitCreated: 'POST /v1/organization-units',
  OrganizationUnitSynced: 'POST /v1/organization-units/{ouId}/sync',
  OrganizationUnitUpdated: 'PATCH …/organization-units/{ouId}',
  OrganizationUnitRemoved: 'DELETE …/organization-units/{ouId}',
  ItemImported: 'POST /v1/items',
  ItemUpdated: 'PATCH …/items/{itemId}',
  ItemRemoved: 'DELETE …/items/{itemId}',
  ReportViewed: 'Opening a report page',
  ReportExported: '"Export CSV" on a report page',
  KeyCreated: 'CreateEncryptedKey; the preview of the console',
  KeyRevoked: 'DELETE …/links/{linkId}',
  TaskCreated: 'POST …/tasks',
  TaskUpdated: 'PATCH …/tasks/{taskId}; a new target for all webhooks of a tenant',
  TaskRemoved: 'DELETE …/tasks/{taskId}',
  TaskExecuted: 'A webhook that was acknowledged with 2xx',
  TaskFailed: 'A webhook that was refused, got no response, or was lost by a fault',
  ApiKeyCreated: 'POST …/api-keys',
  ApiKeyRevoked: 'DELETE …/api-keys/{id}',
  DirectoryUpdated: 'PUT …/directory',
  TenantCreated: 'POST /_control/tenants',
  TenantUpdated: 'PATCH /_control/tenants/{tenancyName}',
} as const;

/** Type of an event that this portal writes; the interface gives three as examples (6.2). */
export type AuditActionType = keyof typeof auditCauses;
