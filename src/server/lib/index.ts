import '@vitrine/contract/require-node';

export { allowAll } from './access/allowAll.ts';
export { createFetchHandler } from './http/createFetchHandler.ts';
export { createNodeHandler } from './http/createNodeHandler.ts';
export { VitrineOptionsError } from './options/vitrineOptionsError.ts';
export { portalFromEnv } from './options/portalFromEnv.ts';
export { frameSources } from './mount/frameSources.ts';
export { scrubUrl } from './telemetry/scrubUrl.ts';

export type { MaybePromise, Nobody, Viewer } from './access/viewer.ts';
export type {
  ActionsConnection,
  ActionsRequest,
  MountedActions,
  WebhookResponse,
  WebhookBody,
  WebhookRequest,
} from './options/mountedActions.ts';
export type { FetchHandler, FetchHandlerOptions } from './http/createFetchHandler.ts';
export type { NodeHandler } from './http/createNodeHandler.ts';
export type { RateLimit, RateLimitOptions, SharedLimiter } from './limits/rateLimitOptions.ts';
export type { Logger } from './log/logger.ts';
export type { Health, TenantHealth } from './mount/readHealth.ts';
export type { ErrorContext } from './telemetry/createKeyObserver.ts';
export type { KeyAuditRecord } from './telemetry/keyAuditRecord.ts';
export type {
  ObservableGauge,
  ObservableResult,
  OpenTelemetryApi,
  TelemetryAttributes,
  TelemetrySpan,
} from './telemetry/openTelemetryApi.ts';
export type { SetupWarning } from './log/warnAboutSetup.ts';
export type { VitrineOptionsErrorCode } from './options/vitrineOptionsError.ts';
export type { UpstreamOptions, VitrineOptions } from './options/vitrineOptions.ts';
