export { documentationUrl } from './documentationUrl.ts';
export { quoteText } from './quoteText.ts';
export type {
  ActionField,
  ActionRow,
  ActionValue,
  FlatActionRow,
  ReportAction,
} from './embedding/reportAction.ts';
export { flattenRow } from './embedding/flattenRow.ts';
export { checkWebUrl } from './embedding/checkWebUrl.ts';
export type { EmbedKey, EmbedKeyRequest } from './embedding/embedKey.ts';
export type {
  MayRetry,
  ProblemCode,
  ProblemCodeEntry,
  ProblemKind,
  ProblemSeverity,
} from './embedding/problemCodes.ts';
export { isProblemCode, problemCodes } from './embedding/problemCodes.ts';
export { isItemId } from './embedding/isItemId.ts';
export { isWebUrl } from './embedding/isWebUrl.ts';
export { maxKeyLifetimeMs, minKeyLifetimeMs } from './embedding/keyLifetimes.ts';
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
} from './service/actionWebhookBody.ts';
export type { AuditActionType } from './service/auditActionTypes.ts';
export { auditActionTypes } from './service/auditActionTypes.ts';
export { defaultPageSize, maxPageSize } from './service/pageSizes.ts';
export type { CreateEncryptedKeyBody, CreateEncryptedKeyResult } from './service/createEncryptedKeyBody.ts';
export { maxRlsRoles, mintPermissions } from './service/createEncryptedKeyBody.ts';
export { emailKey } from './service/emailKey.ts';
export type { Envelope, EnvelopeError, EnvelopeValidationError } from './service/envelope.ts';
export type { ItemAdditionalData, ItemInput } from './service/itemInput.ts';
export type { OrganizationUnitInput } from './service/organizationUnitInput.ts';
export { rootOrganizationUnitId } from './service/organizationUnitInput.ts';
export type { RoleInput, RoleType } from './service/roleInput.ts';
export { roleTypes } from './service/roleInput.ts';
export type { UserInput, UserPatch, UserType } from './service/userInput.ts';
export { isEmailAddress, maxEmailLength, userTypes } from './service/userInput.ts';
