import '@vitrine/contract/require-node';

export { createActions } from './createActions.ts';
export { parseAction } from './parse.ts';
export { postgresInbox, postgresInboxSchema } from './postgres.ts';
export { sqliteInbox } from './sqlite.ts';
export { flattenRow } from '@vitrine/contract';

export type { ActionRow } from '@vitrine/contract';
export type { Actions } from './createActions.ts';
export type {
  ActionInbox,
  ActionReply,
  DeliveryFilter,
  DeliveryState,
  NewDelivery,
  Outcome,
  Publication,
  StoredDelivery,
} from './inbox.ts';
export type { ActionsOptions, Audience } from './options.ts';
export type { ActionEvent } from './parse.ts';
export type { ActionContext, ActionHandler, ActionHandlers } from './routes.ts';
