export { allowAll } from './access/allowAll.ts';
export { createFetchHandler } from './http/createFetchHandler.ts';
export { createNodeHandler } from './http/createNodeHandler.ts';
export { VitrineOptionsError } from './options/optionsError.ts';
export { portalFromEnv } from './options/portalFromEnv.ts';
export { frameSources } from './mount/frameSources.ts';
export { warningFields } from './options/warnAboutSetup.ts';
export { scrubUrl } from './telemetry/scrubUrl.ts';
export { createActionFetchHandler } from './actions/createActionFetchHandler.ts';
export { createActionWebhook } from './actions/createActionWebhook.ts';
export { createActionDispatcher } from './actions/dispatch/actionDispatcher.ts';
export { on } from './actions/dispatch/routes.ts';
export { postgresInbox } from './actions/inbox/postgres/postgresInbox.ts';
export { sqliteInbox } from './actions/inbox/sqlite/sqliteInbox.ts';
export { describeNews, newsLogger } from './actions/news.ts';
export { parseAction } from './actions/parse/parseAction.ts';
export { createActionReceiver } from './actions/receive/actionReceiver.ts';
export { createServerDrain } from './actions/receive/createServerDrain.ts';
export { readRefused } from './actions/receive/refusedBodies.ts';
export { readNodeBody } from './actions/receive/readNodeBody.ts';
export { createActionStream } from './actions/stream/actionStream.ts';
export { createItemIdResolver } from './actions/stream/itemIdResolver.ts';

export type { MaybePromise, Nobody, Viewer } from './access/viewer.ts';
export type { ActionsConnection, ActionsRequest, ActionsRoute } from './http/actionsRoute.ts';
export type { FetchHandler, FetchHandlerOptions } from './http/createFetchHandler.ts';
export type { NodeHandler } from './http/createNodeHandler.ts';
export type { KeyCacheOptions } from './keys/createKeyCache.ts';
export type { RateLimit, RateLimitOptions, SharedLimiter } from './limits/rateLimitOptions.ts';
export type { Logger } from './log/logger.ts';
export type { Health, TenantHealth } from './mount/readHealth.ts';
export type { OpenTelemetryApi, TelemetryAttributes, TelemetrySpan } from './telemetry/openTelemetryApi.ts';
export type { SetupWarning } from './options/warnAboutSetup.ts';
export type { VitrineOptionsErrorCode } from './options/optionsError.ts';
export type { UpstreamOptions, VitrineOptions } from './options/vitrineOptions.ts';
export type { ActionEvent, ActionFlag, ActionVisual } from './actions/actionEvent.ts';
export type { ActionFetchHandler, ActionFetchHandlerOptions } from './actions/createActionFetchHandler.ts';
export type { ActionWebhook, ActionWebhookOptions } from './actions/createActionWebhook.ts';
export type {
  ActionDispatcher,
  ActionDispatcherOptions,
  DispatchOptions,
} from './actions/dispatch/actionDispatcher.ts';
export type { BackoffOptions } from './actions/dispatch/backoff.ts';
export type {
  ActionContext,
  ActionHandler,
  ActionHandlers,
  ActionMatch,
  ActionRoute,
} from './actions/dispatch/routes.ts';
export type {
  ActionInbox,
  ActionReply,
  AppendReceipt,
  ClaimedDelivery,
  ClaimRequest,
  DeliveryFilter,
  DeliveryState,
  InboxChange,
  InboxHealth,
  NewDelivery,
  Outcome,
  Publication,
  StoredDelivery,
} from './actions/inbox/actionInbox.ts';
export type { PostgresInboxOptions } from './actions/inbox/postgres/postgresInboxOptions.ts';
export type { PostgresClient, PostgresPool, PostgresResult } from './actions/inbox/postgres/postgresPool.ts';
export type { StoreNews } from './actions/inbox/sqlite/messages.ts';
export type { SqliteInboxOptions } from './actions/inbox/sqlite/sqliteInbox.ts';
export type { ActionNews, ReportNews } from './actions/news.ts';
export type { ParsedAction } from './actions/parse/parseAction.ts';
export type {
  ActionReceiver,
  ActionReceiverOptions,
  ActionRequest,
  ActionResponse,
  BodyResult,
} from './actions/receive/actionReceiver.ts';
export type { KeepRefusedOptions, RefusedDelivery } from './actions/receive/refusedBodies.ts';
export type { ServerDrainOptions } from './actions/receive/createServerDrain.ts';
export type { SecretPolicy, WebhookSecrets } from './actions/receive/webhookSecrets.ts';
export type { ActionStream } from './actions/stream/actionStream.ts';
export type { ActionStreamOptions } from './actions/stream/actionStreamOptions.ts';
export type { ItemIdResolverOptions } from './actions/stream/itemIdResolver.ts';
export type { Audience, ItemIdOf } from './actions/stream/preparePublication.ts';
