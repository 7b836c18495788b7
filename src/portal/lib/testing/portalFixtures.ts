import { createPortal, type Portal, type PortalOptions } from '../createPortal.ts';
import type { PortalTenant } from '../tenants/describeTenants.ts';

/** What a test is given. */
export interface PortalFixtureValues {
  /** One portal for all tests of a worker. */
  readonly portal: Portal;
  /** A fresh tenant for this test alone; it is removed afterwards. */
  readonly tenant: PortalTenant;
}

/** Hands a value to the test and resolves when the test is over. */
type Use<TValue> = (value: TValue) => Promise<void>;

/** Fixtures in the form that `test.extend` of Vitest and of Playwright both take. */
export interface PortalFixtures {
  portal: [(context: object, use: Use<Portal>) => Promise<void>, { scope: 'worker' }];
  tenant: (context: { portal: Portal }, use: Use<PortalTenant>) => Promise<void>;
}

/**
 * Fixtures for `test.extend`: `portal`, one for each worker, and `tenant`, a fresh one for each test, so that tests
 * run in parallel on one process and never meet.
 *
 * With Playwright: `const it = test.extend<Pick<PortalFixtureValues, 'tenant'>, Pick<PortalFixtureValues, 'portal'>>(portalFixtures())`.
 *
 * @example
 * ```ts
 * import { type PortalFixtureValues, portalFixtures } from '@vitrine/portal/testing';
 * import { expect, test } from 'vitest';
 *
 * const { portal, tenant } = portalFixtures();
 * const it = test.extend<PortalFixtureValues>({ portal, tenant });
 *
 * it('has a tenant of its own', ({ tenant }) => {
 *   expect(tenant.apiKey).not.toBe('');
 * });
 * ```
 */
export const portalFixtures = (options: PortalOptions = {}): PortalFixtures => ({
  portal: [
    // Both runners read the fixtures that are needed from the braces; an empty pair means none.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, provide) => {
      const portal = await createPortal(options);
      await provide(portal);
      await portal.close();
    },
    { scope: 'worker' },
  ],
  tenant: async ({ portal }, provide) => {
    const tenant = await portal.createTenant();
    await provide(tenant);
    portal.faults.clear(tenant.tenancyName);
    await portal.removeTenant(tenant.tenancyName);
  },
});
