import '@vitrine/contract/require-node';

export { parseAuditCheckpoint } from './audit.ts';
export { createPortalClient } from './client.ts';
export { parsePortalConnection } from './connection.ts';
export { isPortalError, PortalError } from './errors.ts';
export { connectionAdvice } from './keyAdvice.ts';
export { isSignInRedirect } from './refusals.ts';
export { createRedactor, createSecretMask, rememberSecret, Secret } from './secrets.ts';
export { isAllowed } from './sync/dangers.ts';
export { parseSyncPlan, targetOf } from './sync/syncPlan.ts';
export { knownExportNames, sourceFields } from './sync/knownExports.ts';
export { usersFromCsv } from './sync/readers/csv.ts';
export { usersFromJson } from './sync/readers/json.ts';

export type { AuditCheckpoint } from './audit.ts';
export type { PortalClient } from './client.ts';
export type { PortalClientOptions } from './clientOptions.ts';
export type { PortalConnection, PortalConnectionInput } from './connection.ts';
export type { CreatedKey } from './embeddedKeys.ts';
export type { CallStats, PortalErrorKind } from './errors.ts';
export type { PortalList } from './paging.ts';
export type { Adapt } from './responses.ts';
export type { AuditRecord, Item, Link, OrganizationUnit, Role, Task, User } from './rows.ts';
export type {
  ItemInput,
  OrganizationUnitInput,
  RoleInput,
  UserInput,
  UserPatch,
} from '@vitrine/contract/service';
export type { ApplyOptions, ApplyResult } from './sync/apply.ts';
export type { DesiredState } from './sync/plan.ts';
export type { PlanOptions } from './sync/planOptions.ts';
export type { DesiredOrganizationUnit } from './sync/structure.ts';
export type { PlanAction, SyncPlan } from './sync/syncPlan.ts';
export type { DesiredUser, SourceOptions, UserSource } from './sync/people.ts';
