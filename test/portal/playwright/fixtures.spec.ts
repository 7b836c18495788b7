import { type PortalFixtureValues, portalFixtures } from '@vitrine/portal/testing';
import { expect, test } from 'playwright/test';

const it = test.extend<Pick<PortalFixtureValues, 'tenant'>, Pick<PortalFixtureValues, 'portal'>>(
  portalFixtures(),
);
const seen = new Set<string>();

for (const turn of ['first', 'second'])
  it(`gives the ${turn} test its own tenant`, async ({ tenant }) => {
    expect(seen.has(tenant.tenancyName)).toBe(false);
    seen.add(tenant.tenancyName);
  });

it('opens a report page of that tenant in the runner’s browser', async ({ page, tenant }) => {
  await page.goto(`${tenant.tenantUrl}/report/1042`);
  await expect(page.getByRole('heading').first()).toBeVisible();
});
