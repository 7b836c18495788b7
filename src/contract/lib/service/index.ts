export type { AdviceCode, Failure } from './advice.ts';
export { explain, fillSentence } from './advice.ts';
export type {
  ActionColumnTarget,
  ActionDataPoint,
  ActionHierarchyTarget,
  ActionIdentity,
  ActionMeasure,
  ActionMeasureTarget,
  ActionMetadata,
  ActionTarget,
  ActionVisualData,
  ActionWebhookBody,
} from './actionWebhookBody.ts';
export type { AuditActionType } from './auditActionTypes.ts';
export { auditActionTypes } from './auditActionTypes.ts';
export { apiKeyHeader, createEncryptedKeyPath, tenantIdHeader } from './createEncryptedKey.ts';
export { emailKey, isEmailAddress } from './email.ts';
export type { Envelope } from './envelope.ts';
export type {
  ItemAdditionalData,
  ItemInput,
  OrganizationUnitInput,
  RoleInput,
  RoleType,
  ServiceInput,
  ServiceMergePatch,
  ServiceNewRow,
  ServicePatch,
  ServiceRow,
  UserInput,
  UserPatch,
  UserType,
} from './resourceTypes.ts';
export type { OptionRule, OptionRules } from './options.ts';
export { checkOptions, kindOf, nearestName } from './options.ts';
export type { SettingName, Voice } from './settings.ts';
export { settingName, settings } from './settings.ts';
export type {
  FieldKind,
  OperationName,
  ResourceName,
  RuleSource,
  ServiceField,
  ServiceResource,
  ServiceRoute,
} from './tables.ts';
export {
  defaultPageSize,
  maxPageSize,
  maxRlsRoles,
  mintPermissions,
  resources,
  roleTypes,
  rootOrganizationUnitId,
  serviceRoutes,
  userTypes,
} from './tables.ts';
