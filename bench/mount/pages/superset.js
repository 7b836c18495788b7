import { embedDashboard } from '@superset-ui/embedded-sdk';
import { definePage, fetchKey, root, tenantUrl } from './page.js';

/** Superset's frame has no token in its URL: the token is sent by message after the frame has loaded. */
definePage({
  mount: () => {
    void embedDashboard({
      id: '0c1f8a4e-4b4e-4f0e-9a63-0d7c8c6f2b11',
      supersetDomain: tenantUrl,
      mountPoint: root(),
      fetchGuestToken: async () => (await fetchKey()).key,
    });
  },
});
