import '@vitrine/contract/require-node';

export { auditRecordFields } from './audit/auditRecord.ts';
export { parseAuditCheckpoint } from './audit/auditCheckpoint.ts';
export { createPortalClient } from './client/createPortalClient.ts';
export { isSignInRedirect } from './responses/failure.ts';
export { createRedactor } from './createRedactor.ts';
export { isShortSecret } from './embedding/parseSecrets.ts';
export { parsePortalConnection } from './embedding/parsePortalConnection.ts';
export { isPortalError, PortalError } from './errors/portalError.ts';
export { createItemResolver } from './resources/itemResolver.ts';
export { organizationUnitTree } from './resources/organizationUnitTree.ts';
export { Secret } from './secret.ts';
export { dangersOf, isAllowed, parseSyncPlan } from './sync/syncPlan.ts';
export { knownExportNames, sourceFields } from './sync/knownExports.ts';
export { usersFromCsv } from './sync/readers/csv.ts';
export { usersFromJson } from './sync/readers/json.ts';

export type { AuditLogsResource } from './audit/createAuditLogs.ts';
export type { AuditFilter, AuditListOptions } from './audit/auditFilter.ts';
export type { AuditRecord } from './audit/auditRecord.ts';
export type { AuditCheckpoint } from './audit/auditCheckpoint.ts';
export type { Moment } from './audit/dateRange.ts';
export type { AuditFollower, FollowOptions } from './audit/followAuditLogs.ts';
export type { ApiKey, PortalClientOptions } from './client/portalClientOptions.ts';
export type { PortalClient } from './client/createPortalClient.ts';
export type { PortalCall, PortalResponse } from './resources/portalCall.ts';
export type { CreatedKey, EmbeddedKeysResource, KeyRequest } from './embedding/createEmbeddedKeys.ts';
export type { PortalConnection, PortalConnectionInput, SecretInput } from './embedding/portalConnection.ts';
export type { SecretPair } from './errors/callStats.ts';
export type {
  CallFailure,
  PortalErrorDetails,
  PortalErrorKind,
  RefusedPart,
  ValidationError,
} from './errors/portalError.ts';
export type { BodyKind, CallStats } from './errors/callStats.ts';
export type { Pem, TlsOptions } from './http/upstream.ts';
export type { CallOptions } from './http/http.ts';
export type { Adapt, AdaptableResponse } from './responses/success.ts';
export type { ListPage, PortalList } from './paging/paging.ts';
export type { Item } from './resources/item.ts';
export type { ItemResolver } from './resources/itemResolver.ts';
export type { ItemsResource } from './resources/createItems.ts';
export type { Link } from './resources/link.ts';
export type { OrganizationUnit, OrganizationUnitSync } from './resources/organizationUnit.ts';
export type { OrganizationUnitsResource } from './resources/createOrganizationUnits.ts';
export type { OrganizationUnitNode, OrganizationUnitTree } from './resources/organizationUnitTree.ts';
export type { LinksResource, TasksResource } from './resources/readOnlyLists.ts';
export type { Role } from './resources/role.ts';
export type { RolesResource } from './resources/createRoles.ts';
export type { Task } from './resources/task.ts';
export type { User, UserId } from './resources/user.ts';
export type { ListOptions, UsersResource } from './resources/createUsers.ts';
export type { ApplyOptions, ApplyResult } from './sync/apply.ts';
export type { DesiredState, PlanOptions } from './sync/plan.ts';
export type { DesiredOrganizationUnit } from './sync/structure.ts';
export type { Danger, PlanAction, SyncPlan } from './sync/syncPlan.ts';
export type { KnownExportName, SourceField } from './sync/knownExports.ts';
export type { DesiredUser, SourceOptions, SourceReading, UserSource } from './sync/people.ts';
export type { TextEncoding, TextSource } from './sync/text.ts';
