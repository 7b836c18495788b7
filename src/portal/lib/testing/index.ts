export { portalFixtures } from './portalFixtures.ts';

export type { PortalFixtures, PortalFixtureValues } from './portalFixtures.ts';
