import { createServer } from 'node:http';
import { reportUrl } from '@vitrine/contract';
import { createPortal, type Portal, type PortalTenant } from '@vitrine/portal';
import { createPortalClient } from '@vitrine/portal-client';
import { frameSources } from '@vitrine/server';
import express from 'express';
import helmet from 'helmet';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { launchBrowser } from '../support/launchBrowser.ts';
import { closeServer, listen } from '../support/standInPortal.ts';

let portal: Portal;
let browser: Browser;
beforeAll(async () => {
  portal = await createPortal();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await portal.close();
});

const tenantNamed = (name: string): PortalTenant => {
  const tenant = portal.tenants.find(({ tenancyName }) => tenancyName === name);
  if (tenant === undefined) throw new Error(`the portal has no tenant "${name}"`);
  return tenant;
};

const reportOf = async (tenant: PortalTenant): Promise<string> => {
  const { tenantUrl, apiBaseUrl, tenantId, tenancyName, apiKey, passPhrase } = tenant;
  await using client = createPortalClient({
    embedding: { tenantUrl, apiBaseUrl, tenantId, tenancyName, apiKey, passPhrase },
  });
  const { key } = await client.embeddedKeys.create({
    userId: 'north.manager@acme.example',
    itemId: 1042,
    roleNames: ['region-north'],
    lifetimeMs: 60_000,
  });
  return reportUrl(tenantUrl, 1042, key);
};

/** Shows a report of acme on a page whose policy, set by helmet, allows a tenant. */
const showUnderPolicyFor = async (allowed: PortalTenant) => {
  const app = express();
  app.use(helmet({ contentSecurityPolicy: { directives: { frameSrc: [...frameSources(allowed)] } } }));
  const report = await reportOf(tenantNamed('acme'));
  app.get(
    '/',
    (_req, res) => void res.send(`<!doctype html><title>Host</title><iframe src="${report}"></iframe>`),
  );
  const server = createServer(app);
  const url = await listen(server);
  onTestFinished(() => closeServer(server));
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  await page.goto(url, { waitUntil: 'load' });
  return { page, complaints };
};

describe('frameSources() with helmet', () => {
  it('allows the report of the named tenant', async () => {
    const { page } = await showUnderPolicyFor(tenantNamed('acme'));
    const heading = page.frameLocator('iframe').getByRole('heading', { name: 'Sales by region' }).first();
    await heading.waitFor();
    expect(await heading.isVisible()).toBe(true);
  });

  it('blocks the report of another tenant', async () => {
    const { page, complaints } = await showUnderPolicyFor(tenantNamed('globex'));
    await expect.poll(() => complaints.join('\n')).toContain('frame-src');
    expect(page.frames().some((frame) => frame.url().includes('/report/'))).toBe(false);
    // The browser names the blocked origin without the key.
    expect(complaints.join('\n')).not.toContain('ev=');
  });

  it('lists only origins, each once', () => {
    expect(
      frameSources(
        { tenantUrl: 'https://acme.portal.example/base' },
        { tenantUrl: 'https://acme.portal.example' },
        { tenantUrl: 'https://globex.portal.example:8443' },
      ),
    ).toEqual(['https://acme.portal.example', 'https://globex.portal.example:8443']);
  });

  it('rejects a value that is not a portal URL', () => {
    expect(() => frameSources({ tenantUrl: '*' })).toThrow('tenantUrl');
    expect(() => frameSources()).toThrow('portalFromEnv');
  });
});
