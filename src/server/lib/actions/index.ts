import '@vitrine/contract/require-node';

export { createActions } from './createActions.ts';
export { createServerDrain } from './drain.ts';
export { parseAction } from './parse.ts';
export { postgresInbox, postgresInboxSchema } from './postgres.ts';
export { on } from './routes.ts';
export { sqliteInbox } from './sqlite.ts';
export { flattenRow } from '@vitrine/contract';

export type { ActionField, ActionRow, ActionValue, FlatActionRow } from '@vitrine/contract';
export type { Audience, AudienceFunction, ItemIdOf } from './audience.ts';
export type { Actions, ActionsHealth } from './createActions.ts';
export type { Diagnostic, OnDiagnostic } from './diagnostics.ts';
export type { ServerDrainOptions } from './drain.ts';
export type {
  ActionInbox,
  ActionReply,
  AppendReceipt,
  ClaimedDelivery,
  ClaimRequest,
  DeliveryCounts,
  DeliveryFilter,
  DeliveryState,
  HandledReply,
  InboxChange,
  NewDelivery,
  Outcome,
  Publication,
  PublishedAction,
  StoredDelivery,
} from './inbox.ts';
export type { ActionsOptions } from './options.ts';
export type { ActionEvent, ActionFlag, ActionVisual, ParsedAction } from './parse.ts';
export type {
  PostgresClient,
  PostgresInboxOptions,
  PostgresPool,
  PostgresResult,
} from './postgres.ts';
export type { WebhookSecrets } from './receive.ts';
export type { ActionContext, ActionHandler, ActionHandlers, ActionMatch, ActionRoute } from './routes.ts';
export type { SqliteInboxOptions } from './sqlite.ts';
