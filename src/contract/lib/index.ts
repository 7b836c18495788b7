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
  defaultEndpoint,
  keysPath,
  pollParameter,
  requestMarkerHeader,
  waitedParameter,
  webhookPath,
} from './embedding/routes.ts';
