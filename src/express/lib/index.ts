export {
  createActions,
  flattenRow,
  postgresInbox,
  sqliteInbox,
} from '@vitrine/server/actions';
export { allowAll, frameSources, portalFromEnv, VitrineOptionsError } from '@vitrine/server';
export { vitrine } from './vitrine.ts';

export type {
  ActionContext,
  ActionEvent,
  ActionHandler,
  ActionInbox,
  ActionRow,
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
  RateLimitOptions,
  SharedLimiter,
  TenantHealth,
  UpstreamOptions,
  Viewer,
  VitrineOptions,
  VitrineOptionsErrorCode,
} from '@vitrine/server';
export type { VitrineHandler } from './vitrine.ts';
