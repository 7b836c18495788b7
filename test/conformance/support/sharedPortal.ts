import { afterAll, beforeAll } from 'vitest';
import { type PortalUnderTest, startPortalUnderTest } from './startPortalUnderTest.ts';

/** Starts a portal before the tests of a file or a `describe`, and closes it after them. Returns how to get it. */
export const sharedPortal = (database = ':memory:'): (() => PortalUnderTest) => {
  let started: PortalUnderTest | undefined;
  beforeAll(async () => {
    started = await startPortalUnderTest(database);
  });
  afterAll(() => started?.close());
  return () => {
    if (started === undefined) throw new Error('The portal starts before the first test, not earlier.');
    return started;
  };
};
