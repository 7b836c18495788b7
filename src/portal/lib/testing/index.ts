import '@vitrine/contract/require-node';

export { portalFixtures } from './portalFixtures.ts';

export type { PortalFixtures, PortalFixtureValues } from './portalFixtures.ts';
