import { type PortalFixtureValues, portalFixtures } from '@vitrine/portal/testing';
import { describe, expect, test } from 'vitest';
import { administer } from './administer.ts';

const { portal, tenant } = portalFixtures();
const it = test.extend<PortalFixtureValues>({ portal, tenant });
const seen: string[] = [];

describe('portalFixtures()', () => {
  it('gives each test its own tenant', async ({ tenant }) => {
    seen.push(tenant.tenancyName);
    expect((await administer(tenant, 'GET /v1/users')).body.totalCount).toBe(7);
    await administer(tenant, 'POST /v1/users', {
      body: { type: 'UserPass', email: 'one@fixture.example', firstName: 'One', lastName: 'Fixture' },
    });
  });

  it('gives the next test a fresh tenant', async ({ tenant }) => {
    seen.push(tenant.tenancyName);
    expect((await administer(tenant, 'GET /v1/users')).body.totalCount).toBe(7);
    expect(new Set(seen).size).toBe(2);
  });

  it('uses one portal, and removes the tenants of earlier tests', async ({ portal, tenant }) => {
    const names = (await (await fetch(`${portal.url}/_control/tenants`)).json()).items.map(
      (one: any) => one.tenancyName,
    );
    expect(names).toEqual(['acme', 'globex', tenant.tenancyName]);
  });
});
