export { createActionFetchHandler } from './createActionFetchHandler.ts';
export { createActionWebhook } from './createActionWebhook.ts';
export { createActionDispatcher } from './dispatch/actionDispatcher.ts';
export { on } from './dispatch/routes.ts';
export { postgresInbox } from './inbox/postgres/postgresInbox.ts';
export { sqliteInbox } from './inbox/sqlite/sqliteInbox.ts';
export { describeNews, newsLogger } from './news.ts';
export { parseAction } from './parse/parseAction.ts';
export { createActionReceiver } from './receive/actionReceiver.ts';
export { createServerDrain } from './receive/createServerDrain.ts';
export { readRefused } from './receive/refusedBodies.ts';
export { readNodeBody } from './receive/readNodeBody.ts';
export { createActionStream } from './stream/actionStream.ts';
export { createItemIdResolver } from './stream/itemIdResolver.ts';

export type { ActionEvent, ActionFlag, ActionVisual } from './actionEvent.ts';
export type { ActionFetchHandler, ActionFetchHandlerOptions } from './createActionFetchHandler.ts';
export type { ActionWebhook, ActionWebhookOptions } from './createActionWebhook.ts';
export type {
  ActionDispatcher,
  ActionDispatcherOptions,
  DispatchOptions,
} from './dispatch/actionDispatcher.ts';
export type { BackoffOptions } from './dispatch/backoff.ts';
export type {
  ActionContext,
  ActionHandler,
  ActionHandlers,
  ActionMatch,
  ActionRoute,
} from './dispatch/routes.ts';
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
} from './inbox/actionInbox.ts';
export type { PostgresInboxOptions } from './inbox/postgres/postgresInboxOptions.ts';
export type { PostgresClient, PostgresPool, PostgresResult } from './inbox/postgres/postgresPool.ts';
export type { StoreNews } from './inbox/sqlite/messages.ts';
export type { SqliteInboxOptions } from './inbox/sqlite/sqliteInbox.ts';
export type { ActionNews, ReportNews } from './news.ts';
export type { ParsedAction } from './parse/parseAction.ts';
export type {
  ActionReceiver,
  ActionReceiverOptions,
  ActionRequest,
  ActionResponse,
  BodyResult,
} from './receive/actionReceiver.ts';
export type { KeepRefusedOptions, RefusedDelivery } from './receive/refusedBodies.ts';
export type { ServerDrainOptions } from './receive/createServerDrain.ts';
export type { SecretPolicy, WebhookSecrets } from './receive/webhookSecrets.ts';
export type { ActionStream } from './stream/actionStream.ts';
export type { ActionStreamOptions } from './stream/actionStreamOptions.ts';
export type { ItemIdResolverOptions } from './stream/itemIdResolver.ts';
export type { Audience, ItemIdOf } from './stream/preparePublication.ts';
