import { createPortal, type Portal, type PortalOptions } from '../createPortal.ts';
import type { PortalTenant } from '../tenants/describeTenants.ts';

/** The fixtures of a test. */
export interface PortalFixtureValues {
  /** One portal for all tests of a worker. */
  readonly portal: Portal;
  /** A new tenant for this test only, removed afterward. */
  readonly tenant: PortalTenant;
}

/** Passes a value to the test and resolves when the test ends. */
type Use<TValue> = (value: TValue) => Promise<void>;

/** Fixtures for `test.extend` of Vitest and Playwright. */
export interface PortalFixtures {
  portal: [(context: object, use: Use<Portal>) => Promise<void>, { scope: 'worker' }];
  tenant: (context: { portal: Portal }, use: Use<PortalTenant>) => Promise<void>;
}

/**
 * Fixtures for `test.extend`: `portal`, one per worker, and `tenant`, a new one per test, so that tests run in parallel
 * in one process without conflicts.
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
    // Both runners read the required fixtures from the braces; empty braces mean none.
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
