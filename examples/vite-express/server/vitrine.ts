import { existsSync } from 'node:fs';
import { portalFromEnv, vitrine } from '@vitrine/express';

// Your development portal writes this file.
if (existsSync('.env.local')) process.loadEnvFile('.env.local');

export const embed = vitrine({
  portal: portalFromEnv(),
  // Replace this with your sign-in. Until then, it signs you in as "developer", but only with a portal on your
  // machine; with any other portal, nobody is signed in.
  viewer: () =>
    /\.localhost(:|$)/.test(process.env.VITRINE_TENANT_URL ?? '')
      ? { userId: 'developer', roleNames: ['all-regions'] }
      : undefined,
  // Say which reports a viewer may open.
  canView: (_viewer, itemId) => itemId === 1042,
});
