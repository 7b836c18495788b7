import { createFetchHandler, portalFromEnv } from '@vitrine/server';

export const keys = createFetchHandler({
  portal: () => portalFromEnv(),
  viewer: () => ({ userId: 'head.of.sales@acme.example', roleNames: ['all-regions'] }),
  canView: (_viewer, itemId) => itemId === 1042,
});
