import { createPortal, type Portal, type PortalTenant } from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { mintKey } from './mint.ts';
import { askTenant } from './onTenant.ts';

let portal: Portal;
let acme: PortalTenant;
let globex: PortalTenant;
beforeAll(async () => {
  portal = await createPortal();
  const [first, second] = portal.tenants;
  if (first === undefined || second === undefined) throw new Error('The default seed has two tenants.');
  acme = first;
  globex = second;
});
afterAll(() => portal.close());

const open = async (path: string) => (await askTenant(acme.tenantUrl, path)).body;
const encoded = encodeURIComponent;
const mint = () => mintKey({ tenant: acme, itemId: 1042, roleNames: ['region-north'] });

describe('the developer hint of an error page', () => {
  it('explains how to fix a missing, changed or foreign key, and a key for another item', async () => {
    const key = await mint();
    expect(await open('/report/1042')).toContain('as ?ev=&lt;key&gt;, percent-encoded');
    expect(await open(`/report/1042?ev=${encoded(encoded(key))}`)).toContain('percent-encoded twice');
    expect(await open(`/report/9999?ev=${encoded(key)}`)).toContain('has no item 9999. GET /v1/items lists');
    expect(await open(`/report/1043?ev=${encoded(key)}`)).toContain(
      'created for item 1042, but the address is for item 1043',
    );
    const foreign = await mintKey({ tenant: globex, itemId: 2001 });
    expect(await open(`/report/1042?ev=${encoded(foreign)}`)).toContain('VITRINE_TENANCY_NAME');
  });

  it('shows both times for an expired key, and the link of a revoked key', async () => {
    const key = await mint();
    portal.clock.set(Date.parse('2031-05-01T12:00:00Z'));
    const page = await open(`/report/1042?ev=${encoded(key)}`);
    portal.clock.reset();
    expect(page).toMatch(/The key expired at 20\d\d-[^;]+; the portal&#39;s clock shows 2031-05-01T12:00:0/);
    const { items } = (await (await fetch(`${portal.url}/_control/tenants/acme/lists/links`)).json()) as {
      items: { id: number }[];
    };
    const { id } = items.at(-1) ?? expect.fail('The key has a link.');
    await fetch(`${portal.url}/_control/tenants/acme/links/${id}`, { method: 'DELETE' });
    expect(await open(`/report/1042?ev=${encoded(key)}`)).toContain(`link ${id} was revoked`);
  });

  it('appears in the request log without the key', async () => {
    await portal.requests.clear();
    const key = await mint();
    await open(`/report/1042?ev=${key}`);
    const [seen] = await portal.requests.waitFor({ kind: 'report' });
    expect(seen?.notes.join()).toContain('was not percent-encoded');
    expect(JSON.stringify(seen)).not.toContain(key.slice(0, 20));
  });

  it('is omitted when others can reach the portal, unless it is enabled', async () => {
    for (const [options, shows] of [
      [{}, false],
      [{ developerHints: true }, true],
    ] as const) {
      const shared = await createPortal({ host: '0.0.0.0', ...options });
      onTestFinished(() => shared.close());
      const page = await askTenant(shared.tenants[0]?.tenantUrl ?? '', '/report/1042');
      expect(page.body.includes('For developers')).toBe(shows);
    }
  });
});
