import { createPortal, type Portal, type PortalTenant } from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer } from './administer.ts';
import { testDatabases } from './databases.ts';
import { mintKey, requestKey } from './mint.ts';
import { askTenant } from './onTenant.ts';

const north = { itemId: 1042, roleNames: ['region-north'] };
const open = (tenant: PortalTenant, itemId: number, key: string) =>
  askTenant(tenant.tenantUrl, `/report/${itemId}?ev=${encodeURIComponent(key)}`);
const envelopeOf = async (response: Response) => await response.json();

describe.each(await testDatabases('encrypted_key'))('on $name', (database) => {
  let portal: Portal;
  let acme: PortalTenant;
  let globex: PortalTenant;

  beforeAll(async () => {
    portal = await createPortal({ database: database.address });
    const [first, second] = portal.tenants;
    if (first === undefined || second === undefined) throw new Error('The default seed has two tenants.');
    acme = first;
    globex = second;
  });
  afterAll(async () => {
    await portal.close();
    await database.drop();
  });

  describe('CreateEncryptedKey', () => {
    it('returns an envelope with a key when everything is correct', async () => {
      const response = await requestKey({ tenant: acme, ...north });
      expect(response.status).toBe(200);
      expect(await envelopeOf(response)).toEqual({
        result: { key: expect.any(String) },
        targetUrl: null,
        success: true,
        error: null,
        unAuthorizedRequest: false,
        __abp: true,
      });
    });

    it('also answers a similar path with an envelope', async () => {
      const path = '/api/services/app/ItemLinks/CreateEncryptedKeys';
      const response = await fetch(`${acme.apiBaseUrl}${path}`, { method: 'POST' });
      expect(response.status).toBe(404);
      expect(await envelopeOf(response)).toMatchObject({ success: false, error: { code: 404 } });
    });

    it('returns base64 keys that always contain "+", "/" and "=", to reveal hosts that do not encode them', async () => {
      for (let round = 0; round < 20; round += 1) {
        const key = await mintKey({ tenant: acme, ...north, userId: `viewer-${'x'.repeat(round)}` });
        expect(key).toMatch(/^[A-Za-z0-9+/]+={1,2}$/);
        expect(key).toContain('+');
        expect(key).toContain('/');
      }
    });

    it.each([
      { title: 'no API key', headers: { Authorization: '' }, status: 401, member: 'Authorization' },
      {
        title: 'an unknown API key',
        headers: { Authorization: 'ApiKey wrong' },
        status: 401,
        member: 'Authorization',
      },
      {
        title: 'the authentication scheme of the other interface',
        headers: { Authorization: 'Bearer wrong' },
        status: 401,
        member: 'Authorization',
      },
      {
        title: 'a tenant header that is not a number',
        headers: { 'Svc.TenantId': 'acme' },
        status: 400,
        member: 'Svc.TenantId',
      },
      {
        title: 'the tenant number of another tenant',
        headers: { 'Svc.TenantId': '202' },
        status: 401,
        member: 'Authorization',
      },
      {
        title: 'a body that is not JSON',
        headers: { 'Content-Type': 'text/plain' },
        status: 415,
        member: 'Content-Type',
      },
    ])('rejects $title in the envelope format and names the header', async ({ headers, status, member }) => {
      const response = await requestKey({ tenant: acme, ...north, headers });
      expect(response.status).toBe(status);
      const envelope = await envelopeOf(response);
      expect(envelope.success).toBe(false);
      expect(envelope.error?.validationErrors?.[0]?.members).toEqual([member]);
    });

    it('answers a wrong passphrase with 500 and success:false, as the envelope format does for business errors', async () => {
      const response = await requestKey({ tenant: { ...acme, passPhrase: 'wrong' }, ...north });
      expect(response.status).toBe(500);
      expect(await envelopeOf(response)).toMatchObject({ success: false, result: null });
    });

    it.each([
      ['globex', 'The tenancy name does not belong to this tenant.'],
      ['ACME', 'The tenancy name does not belong to this tenant: did you mean "acme"?'],
    ])(
      'answers the tenancy name %s with a key of acme with 401 and a reason',
      async (tenancyName, message) => {
        const response = await requestKey({ tenant: { ...acme, tenancyName }, ...north });
        expect(response.status).toBe(401);
        expect(await envelopeOf(response)).toMatchObject({
          success: false,
          error: { message, validationErrors: [{ members: ['tenancyName'] }] },
        });
      },
    );

    it('names the role code that differs only in letter case', async () => {
      const response = await requestKey({ tenant: acme, ...north, roleNames: ['Region-North'] });
      expect(response.status).toBe(400);
      expect((await envelopeOf(response)).error?.message).toBe(
        'value.roleNames[0]: is not the code of an RLS role of this tenant; did you mean "region-north"?',
      );
    });

    it('rejects an item of another tenant as unknown', async () => {
      expect((await requestKey({ tenant: acme, itemId: 2001 })).status).toBe(404);
    });

    it.each(['yesterday', '2026-02-30T00:00:00Z', '2001-01-01T00:00:00Z'])(
      'rejects the expiration %s and names the field',
      async (expiration) => {
        const response = await requestKey({ tenant: acme, ...north, expiration });
        expect(response.status).toBe(400);
        expect((await envelopeOf(response)).error?.validationErrors?.[0]?.members).toEqual([
          'value.expiration',
        ]);
      },
    );
  });

  describe('a report page', () => {
    it('reports an expired key', async () => {
      const key = await mintKey({ tenant: acme, ...north });
      portal.clock.advance(61 * 60_000);
      const page = await open(acme, 1042, key);
      portal.clock.reset();
      expect(page.status).toBe(403);
      expect(page.body).toContain('data-portal-state="expired"');
    });

    it('reports a changed key as invalid, whichever character was changed', async () => {
      const key = await mintKey({ tenant: acme, ...north });
      for (let index = 0; index < key.length - 2; index += 7) {
        const other = key[index] === 'A' ? 'B' : 'A';
        const page = await open(acme, 1042, key.slice(0, index) + other + key.slice(index + 1));
        expect(page.body).toContain('data-portal-state="tampered"');
      }
    });

    it('opens the literal address of the interface: ?ev=<key>, with the "+" as it is', async () => {
      const key = await mintKey({ tenant: acme, ...north });
      expect(key).toContain('+');
      const page = await askTenant(acme.tenantUrl, `/report/1042?ev=${key}`);
      expect(page.body).toContain('data-portal-state="ready"');
    });

    it('reports a key of another tenant as foreign', async () => {
      const key = await mintKey({ tenant: globex, itemId: 2001 });
      expect((await open(acme, 1042, key)).body).toContain('data-portal-state="foreign"');
    });

    it('reports an unknown report, and a key for another report', async () => {
      const key = await mintKey({ tenant: acme, ...north });
      expect((await open(acme, 9999, key)).body).toContain('data-portal-state="unknown"');
      expect((await open(acme, 1043, key)).body).toContain('data-portal-state="other-report"');
    });

    it('reports a missing key', async () => {
      expect((await askTenant(acme.tenantUrl, '/report/1042')).body).toContain('data-portal-state="missing"');
    });

    it('exports only with POST: no other method records an export', async () => {
      const key = await mintKey({ tenant: acme, ...north });
      const path = `/report/${north.itemId}/export`;
      const headers = { authorization: `ReportKey ${key}` };
      const exportsOf = async () =>
        (await administer(acme, 'GET /v1/audit-logs?actionType=ReportExported')).body.totalCount;
      const before = await exportsOf();
      for (const method of ['GET', 'OPTIONS', 'PUT', 'DELETE']) {
        const answer = await askTenant(acme.tenantUrl, path, { method, headers });
        expect([method, answer.status, answer.headers['allow']]).toEqual([method, 405, 'POST']);
      }
      expect(await exportsOf()).toBe(before);
      expect((await askTenant(acme.tenantUrl, path, { method: 'POST', headers })).status).toBe(200);
    });

    it('opens only with GET: HEAD records no view, and other methods get 405 with Allow', async () => {
      const key = await mintKey({ tenant: acme, ...north });
      const viewsOf = async () =>
        (await administer(acme, 'GET /v1/audit-logs?actionType=ReportViewed')).body.totalCount;
      const before = await viewsOf();
      const path = `/report/${north.itemId}?ev=${encodeURIComponent(key)}`;
      const head = await askTenant(acme.tenantUrl, path, { method: 'HEAD' });
      expect([head.status, head.body]).toEqual([200, '']);
      expect(await viewsOf()).toBe(before);
      expect((await askTenant(acme.tenantUrl, path)).status).toBe(200);
      expect(await viewsOf()).toBe(before + 1);
      for (const target of [path, '/'])
        for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
          const answer = await askTenant(acme.tenantUrl, target, { method });
          expect([method, answer.status, answer.headers['allow']]).toEqual([method, 405, 'GET, HEAD']);
        }
    });

    it('is the only content on the public origin of a tenant', async () => {
      const answer = await askTenant(acme.tenantUrl, '/v1/users', {
        headers: { Authorization: `Bearer ${acme.apiKey}` },
      });
      expect(answer.status).toBe(404);
      expect(answer.headers['content-type']).toContain('text/html');
    });
  });
});
