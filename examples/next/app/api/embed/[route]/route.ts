import { createFetchHandler, portalFromEnv } from '@vitrine/server';

const handler = createFetchHandler({
  portal: () => portalFromEnv(), // read when a key is requested: a build needs no secret
  // Replace this with your sign-in. Until then, it signs you in as "developer", but only with a portal on your
  // machine; with any other portal, nobody is signed in.
  viewer: () =>
    /\.localhost(:|$)/.test(process.env.VITRINE_TENANT_URL ?? '')
      ? { userId: 'developer', roleNames: ['all-regions'] }
      : undefined,
  // Say which reports a viewer may open.
  canView: (_viewer, itemId) => itemId === 1042,
});

export { handler as GET, handler as POST };
