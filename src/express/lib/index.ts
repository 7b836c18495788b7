export {
  createActionStream,
  createItemIdResolver,
  createServerDrain,
  on,
  postgresInbox,
  sqliteInbox,
} from '@vitrine/actions';
export { allowAll, frameSources, portalFromEnv, scrubUrl, VitrineOptionsError } from '@vitrine/server';
export { vitrine } from './vitrine.ts';
export { actionWebhook } from './actionWebhook.ts';

export type { Viewer, VitrineOptions } from '@vitrine/server';
export type { VitrineHandler } from './vitrine.ts';
export type { ActionWebhookHandler } from './actionWebhook.ts';
