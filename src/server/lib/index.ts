import '@vitrine/contract/require-node';

export { createFetchHandler } from './fetchHandler.ts';
export { frameSources } from './frameSources.ts';
export { createNodeHandler } from './node.ts';
export { VitrineOptionsError } from './options.ts';
export { portalFromEnv } from './portalFromEnv.ts';
export { allowAll } from './viewer.ts';

export type { FetchHandler, FetchHandlerOptions } from './fetchHandler.ts';
export type { Health, TenantHealth } from './health.ts';
export type { MaybePromise } from './hostCalls.ts';
export type { Logger } from './log.ts';
export type { NodeHandler } from './node.ts';
export type {
  ErrorContext,
  KeyAuditRecord,
  UpstreamOptions,
  VitrineOptions,
  VitrineOptionsErrorCode,
} from './options.ts';
export type { RateLimit, SharedLimiter } from './rateLimit.ts';
export type { Nobody, Viewer } from './viewer.ts';
