import type { auditActionTypes } from '@vitrine/contract/service';

/** The cause of a type of event, and whether the interface names the type. */
export interface AuditCause {
  readonly cause: string;
  /** Section of the interface that names the type; none: our choice. */
  readonly section?: string;
}

/** The causes of each type of event in the audit log. */
export const auditCauses: Readonly<Record<(typeof auditActionTypes)[number], AuditCause>> = {
  UserCreated: {
    cause: 'POST /v1/users; a synchronization that finds a person without a user',
    section: '6.2',
  },
  UserUpdated: { cause: 'PATCH /v1/users/{userId}; a synchronization that finds another name or address' },
  UserDeleted: { cause: 'DELETE /v1/users/{userId}' },
  RoleCreated: { cause: 'POST /v1/roles' },
  RoleUpdated: {
    cause: 'PUT /_control/tenants/{tenancyName}/roles/{code}/rule: the service cannot change a role',
    section: '6.2',
  },
  OrganizationUnitCreated: { cause: 'POST /v1/organization-units' },
  OrganizationUnitSynced: { cause: 'POST /v1/organization-units/{ouId}/sync' },
  OrganizationUnitUpdated: {
    cause:
      'PATCH /_control/tenants/{tenancyName}/organization-units/{ouId}: the service cannot change a unit',
  },
  OrganizationUnitRemoved: {
    cause:
      'DELETE /_control/tenants/{tenancyName}/organization-units/{ouId}: the service has no way to remove a unit',
  },
  ItemImported: { cause: 'POST /v1/items' },
  ItemRemoved: {
    cause: 'DELETE /_control/tenants/{tenancyName}/items/{itemId}: the service has no way to remove an item',
  },
  ReportViewed: { cause: 'Opening a report page' },
  ReportExported: { cause: '"Export CSV" on a report page', section: '6.2' },
  KeyCreated: { cause: 'CreateEncryptedKey; the preview of the console' },
  KeyRevoked: {
    cause: 'DELETE /_control/tenants/{tenancyName}/links/{linkId}: the service cannot revoke a key',
  },
  TaskExecuted: { cause: 'A webhook that was acknowledged with 2xx' },
  TaskFailed: { cause: 'A webhook that was refused, got no response, or was lost by a fault' },
};
