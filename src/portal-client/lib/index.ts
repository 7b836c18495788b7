import '@vitrine/contract/require-node';

export { parseAuditCheckpoint } from './audit.ts';
export { createPortalClient } from './client.ts';
export { isShortSecret, parsePortalConnection } from './connection.ts';
export { isPortalError, PortalError } from './errors.ts';
export { isSignInRedirect } from './responses.ts';
export { createRedactor, Secret } from './secrets.ts';
export { auditRecordFields } from './rows.ts';
export { dangersOf, isAllowed, parseSyncPlan } from './sync/syncPlan.ts';
export { knownExportNames, sourceFields } from './sync/knownExports.ts';
export { usersFromCsv } from './sync/readers/csv.ts';
export { usersFromJson } from './sync/readers/json.ts';

export type { AuditCheckpoint, AuditFilter, FollowOptions } from './audit.ts';
export type { PortalCall, PortalClient, PortalClientOptions, PortalResponse } from './client.ts';
export type { PortalConnection, PortalConnectionInput } from './connection.ts';
export type { CreatedKey, KeyRequest } from './embeddedKeys.ts';
export type { CallStats, PortalErrorKind, RefusedPart, SecretPair, ValidationError } from './errors.ts';
export type { CallOptions } from './http.ts';
export type { PortalList } from './paging.ts';
export type { Adapt, AdaptableResponse } from './responses.ts';
export type { AuditRecord, Item, Link, OrganizationUnit, Role, Task, User } from './rows.ts';
export type { OrganizationUnitNode } from './units.ts';
export type { TlsOptions } from './upstream.ts';
export type {
  ItemInput,
  OrganizationUnitInput,
  RoleInput,
  UserInput,
  UserPatch,
} from '@vitrine/contract/service';
export type { ApplyOptions, ApplyResult } from './sync/apply.ts';
export type { DesiredState, PlanOptions } from './sync/plan.ts';
export type { DesiredOrganizationUnit } from './sync/structure.ts';
export type { Danger, PlanAction, SyncPlan } from './sync/syncPlan.ts';
export type { KnownExportName, SourceField } from './sync/knownExports.ts';
export type { DesiredUser, SourceOptions, SourceReading, UserSource } from './sync/people.ts';
export type { TextEncoding, TextSource } from './sync/text.ts';
