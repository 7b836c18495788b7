import '@vitrine/contract/require-node';

export { createActions } from './createActions.ts';
export { describeDiagnostic } from './diagnostics.ts';
export { on } from './dispatch/routes.ts';
export { postgresInbox } from './inbox/postgres/postgresInbox.ts';
export { sqliteInbox } from './inbox/sqlite/sqliteInbox.ts';
export { parseAction } from './parse/parseAction.ts';
export { createServerDrain } from './receive/createServerDrain.ts';
export { flattenRow } from '@vitrine/contract';

export type { ActionField, ActionRow, ActionValue, FlatActionRow } from '@vitrine/contract';
export type { ActionEvent, ActionFlag, ActionVisual } from './actionEvent.ts';
export type { ActionsOptions, BackoffOptions, DispatchOptions, StreamOptions } from './actionsOptions.ts';
export type { Actions } from './createActions.ts';
export type { Diagnostic, OnDiagnostic } from './diagnostics.ts';
export type { Audience, AudienceFunction, ItemIdOf } from './dispatch/createPublisher.ts';
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
  DeliveryCounts,
  DeliveryFilter,
  DeliveryState,
  InboxChange,
  InboxDiagnostic,
  InboxHealth,
  NewDelivery,
  Outcome,
  Publication,
  PublishedAction,
  StoredDelivery,
} from './inbox/actionInbox.ts';
export type { PostgresInboxOptions } from './inbox/postgres/postgresInbox.ts';
export type { PostgresClient, PostgresPool, PostgresResult } from './inbox/postgres/postgresPool.ts';
export type { SqliteInboxOptions } from './inbox/sqlite/sqliteInbox.ts';
export type { ParsedAction } from './parse/parseAction.ts';
export type { ServerDrainOptions } from './receive/createServerDrain.ts';
export type { SecretPolicy, WebhookSecrets } from './receive/webhookSecrets.ts';
