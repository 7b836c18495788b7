import { createFetchHandler, portalFromEnv } from '@vitrine/server';

const handler = createFetchHandler({
  portal: () => portalFromEnv(), // read when a key is requested: a build needs no secret
  // Replace this with your sign-in. Until then, only a portal on this machine has a viewer.
  viewer: () =>
    /\.localhost(:|$)/.test(process.env.VITRINE_TENANT_URL ?? '')
      ? { userId: 'developer', roleNames: ['all-regions'] }
      : undefined,
  // Say which reports a viewer may open.
  canView: (_viewer, itemId) => itemId === 1042,
});

export const loader = ({ request }: { request: Request }) => handler(request);
export const action = ({ request }: { request: Request }) => handler(request);
