import type { MountedActions } from '@vitrine/server';
import { createNodeHandler } from '@vitrine/server';
import { connectionTo } from '../../support/standInPortal.ts';

/** A mount that takes webhooks at `/api/embed/webhook`, and lets nobody see anything. */
export const mountActions = (actions: MountedActions) =>
  createNodeHandler({
    portal: connectionTo('http://127.0.0.1:1'),
    viewer: () => null,
    canView: () => false,
    actions,
    logger: false,
  });
