import type { VitrineOptions } from '@vitrine/server';
import { createNodeHandler } from '@vitrine/server';
import { connectionTo } from '../../support/standInPortal.ts';

/** Mounts webhooks at `/api/embed/webhook`, and denies access to everything else. */
export const mountActions = (actions: NonNullable<VitrineOptions<never>['actions']>) =>
  createNodeHandler({
    portal: connectionTo('http://127.0.0.1:1'),
    viewer: () => null,
    canView: () => false,
    actions,
    logger: false,
  });
