export { flattenRow } from '@vitrine/contract';
export { createActions, postgresInbox, sqliteInbox } from '@vitrine/server/actions';
export { allowAll, frameSources, portalFromEnv, VitrineOptionsError } from '@vitrine/server';
export { vitrine } from './vitrine.ts';

export type { ActionRow } from '@vitrine/contract';
export type {
  ActionContext,
  ActionEvent,
  ActionHandler,
  ActionInbox,
  Actions,
  ActionsOptions,
} from '@vitrine/server/actions';
export type {
  ErrorContext,
  Health,
  KeyAuditRecord,
  Logger,
  MaybePromise,
  Nobody,
  RateLimit,
  SharedLimiter,
  TenantHealth,
  UpstreamOptions,
  Viewer,
  VitrineOptions,
  VitrineOptionsErrorCode,
} from '@vitrine/server';
export type { VitrineHandler } from './vitrine.ts';
