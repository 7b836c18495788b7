export { documentationUrl } from './documentationUrl.ts';
export { quoteText } from './quoteText.ts';
export type {
  ActionField,
  ActionRow,
  ActionValue,
  FlatActionRow,
  ReportAction,
} from './embedding/action.ts';
export { flattenRow } from './embedding/flattenRow.ts';
export { checkWebUrl } from './embedding/checkWebUrl.ts';
export type {
  EmbedKey,
  EmbedKeyRequest,
  EmbedKeyResult,
  EmbedKeysAnswer,
  EmbedKeysRequest,
} from './embedding/embedKey.ts';
export { maxKeysPerRequest } from './embedding/embedKey.ts';
export type {
  MayRetry,
  ProblemCode,
  ProblemCodeEntry,
  ProblemKind,
  ProblemSeverity,
} from './embedding/errorCodes.ts';
export { isProblemCode, problemCodes } from './embedding/errorCodes.ts';
export { isItemId } from './embedding/itemId.ts';
export { isWebUrl } from './embedding/isWebUrl.ts';
export { maxKeyLifetimeMs, minKeyLifetimeMs } from './embedding/keyLifetime.ts';
export type { Problem } from './embedding/problem.ts';
export { problemMediaType } from './embedding/problem.ts';
export { reportUrl } from './embedding/reportUrl.ts';
export {
  actionsPath,
  apiKeyHeader,
  createEncryptedKeyPath,
  defaultEndpoint,
  keysPath,
  pollParameter,
  requestMarkerHeader,
  tenantIdHeader,
  waitedParameter,
  webhookPath,
} from './embedding/routes.ts';
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
} from './service/actionWebhook.ts';
export type { AuditActionType } from './service/audit.ts';
export { auditActionTypes, defaultPageSize, maxPageSize } from './service/audit.ts';
export type { CreateEncryptedKeyBody, CreateEncryptedKeyResult } from './service/createEncryptedKey.ts';
export { maxRlsRoles, mintPermissions } from './service/createEncryptedKey.ts';
export { emailKey } from './service/emailKey.ts';
export type { Envelope, EnvelopeError, EnvelopeValidationError } from './service/envelope.ts';
export type { ItemAdditionalData, ItemInput } from './service/item.ts';
export type { OrganizationUnitInput } from './service/organizationUnit.ts';
export { rootOrganizationUnitId } from './service/organizationUnit.ts';
export type { RoleInput, RoleType } from './service/role.ts';
export { roleTypes } from './service/role.ts';
export type { UserInput, UserPatch, UserType } from './service/user.ts';
export { isEmailAddress, maxEmailLength, userTypes } from './service/user.ts';
