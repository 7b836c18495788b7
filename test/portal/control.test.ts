import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPortal, type Portal, type PortalTenant } from '@vitrine/portal';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { administer } from './administer.ts';
import { testDatabases } from './databases.ts';
import { mintKey, requestKey } from './mint.ts';
import { askTenant } from './onTenant.ts';

describe.each(await testDatabases('control'))('the control interface of a portal on $name', (database) => {
  let portal: Portal;
  let acme: PortalTenant;

  beforeAll(async () => {
    portal = await createPortal({ database: database.address });
    const [first] = portal.tenants;
    if (first === undefined) throw new Error('The default seed has two tenants.');
    acme = first;
  });
  afterEach(() => {
    portal.faults.clear();
    portal.clock.reset();
  });
  afterAll(async () => {
    await portal.close();
    await database.drop();
  });

  const control = (target: string, body?: unknown, headers: Record<string, string> = {}) => {
    const [method = 'GET', path = ''] = target.split(' ');
    return fetch(`${portal.url}/_control${path}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  };
  const users = async (tenant: PortalTenant) => (await administer(tenant, 'GET /v1/users')).body.totalCount;
  const addUser = (tenant: PortalTenant, name: string) =>
    administer(tenant, 'POST /v1/users', {
      body: { type: 'UserPass', email: `${name}@fresh.example`, firstName: 'Fresh', lastName: name },
    });

  describe('tenants', () => {
    it('creates a fresh tenant from a template, complete and with its own keys', async () => {
      const fresh = await portal.createTenant({ template: 'acme' });
      expect(fresh.items.map((item) => item.id)).toEqual([1042, 1043, 1044, 1045]);
      expect(fresh.apiKey).not.toBe(acme.apiKey);
      const key = await mintKey({ tenant: fresh, itemId: 1042, roleNames: ['region-north'] });
      const page = await askTenant(fresh.tenantUrl, `/report/1042?ev=${encodeURIComponent(key)}`);
      expect(page.body).toContain('data-portal-state="ready"');
      expect(page.body).toContain('North');
      const foreign = await askTenant(acme.tenantUrl, `/report/1042?ev=${encodeURIComponent(key)}`);
      expect(foreign.body).toContain('data-portal-state="foreign"');
    });

    it('isolates fresh tenants, also when many are created at once', async () => {
      const tenants = await Promise.all(Array.from({ length: 5 }, () => portal.createTenant()));
      expect(new Set(tenants.map((tenant) => tenant.tenantId)).size).toBe(5);
      const [one, two] = tenants;
      if (one === undefined || two === undefined) throw new Error('Five were made.');
      await addUser(one, 'only-here');
      expect(await users(one)).toBe((await users(two)) + 1);
    });

    it('creates, changes and removes a tenant over HTTP', async () => {
      const made = (await (
        await control('POST /tenants', { tenancyName: 'over-http' })
      ).json()) as PortalTenant;
      expect(made.tenancyName).toBe('over-http');
      expect((await control('PATCH /tenants/over-http', { frameAncestors: "'none'" })).status).toBe(204);
      const page = await askTenant(made.tenantUrl, '/report/1042');
      expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect((await control('DELETE /tenants/over-http')).status).toBe(204);
      expect((await administer(made, 'GET /v1/users')).status).toBe(401);
      const again: any = await (await control('DELETE /tenants/over-http')).json();
      expect(again.error.message).toBe('There is no tenant "over-http".');
    });

    it('rejects a frame-ancestors value that would add a header or a directive', async () => {
      for (const frameAncestors of [
        "*; script-src 'unsafe-inline'",
        '*\r\nset-cookie: a=b',
        '*\u0001',
        'https://b\u00fccher.example',
        '',
      ])
        expect((await control('PATCH /tenants/acme', { frameAncestors })).status).toBe(400);
    });

    it.each([
      'none',
      'self',
      "'none' https://a.example",
      '!!!',
      'https://',
      'https://a b.example:x',
      'https://*.*.example',
      '-a.example',
    ])('rejects %j as frame-ancestors', async (frameAncestors) => {
      const answer = await control('PATCH /tenants/acme', { frameAncestors });
      const { error } = await answer.json().catch(() => ({}));
      expect([answer.status, error?.validationErrors]).toMatchObject([
        400,
        [{ members: ['frameAncestors'] }],
      ]);
    });

    it.each([
      '*',
      "'none'",
      "'self'",
      'https:',
      'localhost',
      'http://localhost:*',
      "'self' https://app.example:8443 *.example https://*.example/",
      'http://127.0.0.1:5173',
    ])('accepts %j as frame-ancestors', async (frameAncestors) => {
      const { tenancyName } = await portal.createTenant();
      expect((await control(`PATCH /tenants/${tenancyName}`, { frameAncestors })).status).toBe(204);
    });

    it('records a new target of the webhooks once, and the same target again not at all', async () => {
      const fresh = await portal.createTenant();
      const changes = async () =>
        (await administer(fresh, 'GET /v1/audit-logs?actionType=TenantUpdated')).body.items.length;
      await portal.setActionTarget(fresh.tenancyName, 'http://host.example/webhook');
      expect(await changes()).toBe(1);
      await portal.setActionTarget(fresh.tenancyName, 'http://host.example/webhook');
      expect(await changes()).toBe(1);
      await portal.setActionTarget(fresh.tenancyName, 'http://host.example/other');
      expect(await changes()).toBe(2);
    });

    it('revokes a link, which closes its report', async () => {
      const fresh = await portal.createTenant();
      const key = await mintKey({ tenant: fresh, itemId: 1043 });
      const links = (await administer(fresh, 'GET /v1/links')).body.items;
      await control(`DELETE /tenants/${fresh.tenancyName}/links/${links.at(-1).id}`);
      const page = await askTenant(fresh.tenantUrl, `/report/1043?ev=${encodeURIComponent(key)}`);
      expect(page.body).toContain('data-portal-state="revoked"');
      expect(
        (await administer(fresh, 'GET /v1/audit-logs')).body.items.map(
          (record: { actionType: string }) => record.actionType,
        ),
      ).toContain('KeyRevoked');
    });

    it('syncs the current state of the directory: added, changed and removed people', async () => {
      const fresh = await portal.createTenant();
      const unit = (await administer(fresh, 'GET /v1/organization-units')).body.items.find(
        (one: { name: string }) => one.name === 'North',
      );
      const person = (id: number, name: string) => ({
        id: `00000000-0000-4000-8000-00000000000${id}`,
        email: `person.${id}@directory.example`,
        firstName: 'Person,',
        lastName: name,
      });
      const put = (people: ReturnType<typeof person>[]) =>
        control(`PUT /tenants/${fresh.tenancyName}/directory`, {
          people,
          groups: [{ id: unit.directoryGroupId, name: 'Sales North', members: people.map((one) => one.id) }],
        });
      const sync = async () => (await administer(fresh, `POST /v1/organization-units/${unit.id}/sync`)).body;
      expect((await put([person(1, 'One'), person(2, 'Two')])).status).toBe(204);
      expect(await sync()).toMatchObject({ added: 2, updated: 0, removed: 0 });
      await put([person(2, 'Two renamed'), person(3, 'Three')]);
      expect(await sync()).toMatchObject({ added: 1, updated: 1, removed: 1 });
      const after = (await administer(fresh, 'GET /v1/organization-units')).body.items.find(
        (one: { id: string }) => one.id === unit.id,
      );
      expect(after.memberCount).toBe(unit.memberCount + 2);
    });

    it('issues an API key with chosen permissions, and revokes it', async () => {
      const { apiKey, id } = (await (
        await control('POST /tenants/acme/api-keys', {
          name: 'Reader',
          permissions: ['Administration.Users'],
        })
      ).json()) as { apiKey: string; id: number };
      const reader = { ...acme, apiKey };
      expect((await administer(reader, 'GET /v1/users')).status).toBe(200);
      expect((await administer(reader, 'GET /v1/roles')).status).toBe(403);
      expect((await requestKey({ tenant: reader, itemId: 1043 })).status).toBe(403);
      await control(`DELETE /tenants/acme/api-keys/${id}`);
      expect((await administer(reader, 'GET /v1/users')).status).toBe(401);
    });
  });

  describe('reset', () => {
    it('resets to the seed: keys stay valid, everything else is restored', async () => {
      await addUser(acme, 'gone-too');
      portal.faults.add({ effect: { kind: 'drop' } });
      portal.clock.advance(1_000_000);
      await portal.reset();
      expect(portal.faults.list()).toEqual([]);
      expect(portal.clock.state().offsetMs).toBe(0);
      expect(await users(acme)).toBe(7);
      expect((await requestKey({ tenant: acme, itemId: 1043 })).status).toBe(200);
    });
  });

  describe('the clock', () => {
    it('can be frozen, set, advanced, sped up and reset', async () => {
      const at = '2030-01-01T00:00:00.000Z';
      await control('POST /clock', { freeze: at });
      expect((await addUser(acme, 'in-2030')).body.createdAt).toBe(at);
      await control('POST /clock', { advanceMs: 1500 });
      expect(portal.clock.now()).toBe(Date.parse(at) + 1500);
      await control('POST /clock', { set: '2031-01-01T00:00:00Z' });
      expect(await (await control('GET /clock')).json()).toMatchObject({
        now: '2031-01-01T00:00:00.000Z',
        isFrozen: true,
        speed: 1,
      });
      expect((await control('POST /clock', { speed: 0 })).status).toBe(400);
      await control('POST /clock', { reset: true });
      expect(portal.clock.state()).toMatchObject({ isFrozen: false, speed: 1, offsetMs: 0 });
    });

    it('stays in the years of four digits, which dates of the service have, and names the field', async () => {
      const refused = async (body: object) => {
        const { error } = (await (await control('POST /clock', body)).json()) as {
          error: { code: string; validationErrors?: readonly { members: readonly string[] }[] };
        };
        return [error.code, error.validationErrors?.[0]?.members];
      };
      await control('POST /clock', { freeze: '9998-12-31T23:59:59.999Z' });
      for (const advanceMs of [1, 1e15, -3.5e14, 1e300])
        expect([advanceMs, ...(await refused({ advanceMs }))]).toEqual([
          advanceMs,
          'validation_failed',
          ['advanceMs'],
        ]);
      for (const name of ['set', 'freeze'])
        expect(await refused({ [name]: '9999-01-01T00:00:00Z' })).toEqual(['validation_failed', [name]]);
      expect(() => portal.clock.set(Number.NaN)).toThrow('set');
      expect((await addUser(acme, 'in-9998')).body.createdAt).toBe('9998-12-31T23:59:59.999Z');
      expect((await requestKey({ tenant: acme, itemId: 1043 })).status).toBe(200);
      const { items } = (await administer(acme, 'GET /v1/audit-logs?actionType=KeyCreated&pageSize=1')).body;
      expect(items[0].details.expiresAt).toMatch(/^9999-/);
    });

    it('determines when keys expire, whatever the system clock says', async () => {
      portal.clock.freeze();
      const key = await mintKey({
        tenant: acme,
        itemId: 1043,
        expiration: new Date(portal.clock.now() + 60_000).toISOString(),
      });
      const state = async () =>
        /data-portal-state="([a-z-]+)"/.exec(
          (await askTenant(acme.tenantUrl, `/report/1043?ev=${encodeURIComponent(key)}`)).body,
        )?.[1];
      portal.clock.advance(59_999);
      expect(await state()).toBe('ready');
      portal.clock.advance(1);
      expect(await state()).toBe('expired');
      portal.clock.advance(-1);
      expect(await state()).toBe('ready');
    });
  });

  describe('faults', () => {
    it('respond with a status in the format of the route', async () => {
      portal.faults.add({ effect: { kind: 'status', status: 429, retryAfterSeconds: 7 } });
      const rest = await administer(acme, 'GET /v1/users');
      expect([rest.status, rest.headers.get('retry-after'), rest.body.error.code]).toEqual([
        429,
        '7',
        'injected_fault',
      ]);
      const envelope = await requestKey({ tenant: acme, itemId: 1043 });
      expect([envelope.status, ((await envelope.json()) as { success: boolean }).success]).toEqual([
        429,
        false,
      ]);
    });

    it('respond with 502, 503 and 504 as a gateway does, unless they have a message', async () => {
      portal.faults.add({ effect: { kind: 'status', status: 503, retryAfterSeconds: 7 }, times: 1 });
      const page = await requestKey({ tenant: acme, itemId: 1043 });
      expect([page.status, page.headers.get('retry-after'), await page.text()]).toEqual([
        503,
        '7',
        expect.stringContaining('<h1>503 Service Unavailable</h1>'),
      ]);
      portal.faults.add({ effect: { kind: 'status', status: 503, message: 'Back at noon.' }, times: 1 });
      const { status, body } = await administer(acme, 'GET /v1/users');
      expect([status, body.error.message]).toEqual([503, 'Back at noon.']);
    });

    it('are refused where they could never fire, and are not removed twice', async () => {
      const effect = { kind: 'drop' };
      const refused = async (target: string, body?: object) => {
        const answer = await control(target, body);
        const { error } = await answer.json().catch(() => ({}));
        return [answer.status, error?.validationErrors?.[0].members];
      };
      expect(await refused('POST /faults', { effect, tenancyName: 'nobody' })).toEqual([
        404,
        ['tenancyName'],
      ]);
      expect(await refused('POST /faults', { effect, method: 'BREW' })).toEqual([400, ['method']]);
      const made = await control('POST /faults', { effect, method: 'get', tenancyName: 'acme' });
      expect(made.status).toBe(201);
      expect(portal.faults.list()).toMatchObject([{ fault: { method: 'GET' } }]);
      const { id } = (await made.json()) as { id: number };
      expect((await control(`DELETE /faults/${id}`)).status).toBe(204);
      for (const gone of [id, 9999, 'abc', '-1'])
        expect([gone, ...(await refused(`DELETE /faults/${gone}`))]).toEqual([gone, 404, ['id']]);
    });

    it('match only the named method, path, tenant, nth call and number of times', async () => {
      portal.faults.add({
        effect: { kind: 'status', status: 500 },
        method: 'GET',
        path: '/v1/us*',
        tenancyName: 'acme',
        nth: [2],
        times: 1,
      });
      const globex = portal.tenants[1];
      if (globex === undefined) throw new Error('The default seed has two tenants.');
      const statuses = [];
      for (const [tenant, target] of [
        [acme, 'GET /v1/users'],
        [acme, 'GET /v1/roles'],
        [globex, 'GET /v1/users'],
        [acme, 'GET /v1/users'],
        [acme, 'GET /v1/users'],
      ] as const)
        statuses.push((await administer(tenant, target)).status);
      expect(statuses).toEqual([200, 200, 200, 500, 200]);
      expect(portal.faults.list()).toMatchObject([{ matches: 3, fired: 1 }]);
    });

    it('occur at random, in the same way for the same seed', async () => {
      const run = async () => {
        portal.faults.clear();
        portal.faults.add({ effect: { kind: 'status', status: 500 }, path: '/v1/roles', probability: 0.5 });
        const statuses = [];
        for (let round = 0; round < 12; round += 1)
          statuses.push((await administer(acme, 'GET /v1/roles')).status);
        return statuses;
      };
      const first = await run();
      expect(new Set(first)).toEqual(new Set([200, 500]));
      expect(await run()).toEqual(first);
    });

    it('drop the connection, truncate the body, or return an HTML page', async () => {
      const id = portal.faults.add({ effect: { kind: 'drop' }, path: '/v1/roles' });
      await expect(administer(acme, 'GET /v1/roles')).rejects.toThrow('fetch failed');
      portal.faults.remove(id);
      const cut = portal.faults.add({ effect: { kind: 'truncate' }, path: '/v1/roles' });
      await expect(administer(acme, 'GET /v1/roles')).rejects.toThrow('terminated');
      portal.faults.remove(cut);
      portal.faults.add({ effect: { kind: 'wrongType' }, path: '/v1/roles' });
      const response = await fetch(`${portal.url}/v1/roles`, {
        headers: { authorization: `Bearer ${acme.apiKey}` },
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/html; charset=utf-8',
      ]);
    });

    it('never answer a request that hangs', async () => {
      portal.faults.add({ effect: { kind: 'hang' }, path: '/v1/roles' });
      await expect(
        fetch(`${portal.url}/v1/roles`, {
          headers: { authorization: `Bearer ${acme.apiKey}` },
          signal: AbortSignal.timeout(100),
        }),
      ).rejects.toThrow('timeout');
    });

    it('remove headers with a dot in their name', async () => {
      portal.faults.add({ effect: { kind: 'dropDottedHeaders' } });
      const response = await requestKey({ tenant: acme, itemId: 1043 });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('Svc.TenantId');
    });

    it('rejects an invalid fault, naming the field', async () => {
      const response = await control('POST /faults', { effect: { kind: 'status', status: 200 } });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('effect.status');
    });
  });

  describe('the request log', () => {
    it('keeps requests and responses without a secret', async () => {
      const key = await mintKey({
        tenant: acme,
        itemId: 1042,
        roleNames: ['region-north'],
        userId: 'logged@acme.example',
      });
      await askTenant(acme.tenantUrl, `/report/1042?ev=${encodeURIComponent(key)}`);
      const [mint] = await portal.requests.waitFor({ kind: 'mint', text: 'logged@acme.example' });
      expect(mint).toMatchObject({ method: 'POST', status: 200, tenancyName: 'acme', fault: null });
      expect(mint?.headers['svc.tenantid']).toBe('101');
      const [report] = await portal.requests.waitFor({ kind: 'report', path: '/report/1042', status: 200 });
      expect(report?.query).toBe('ev=***');
      const everything = JSON.stringify(await portal.requests.list({ limit: 1000 }));
      for (const secret of [acme.apiKey, acme.passPhrase, key, encodeURIComponent(key)])
        expect(everything).not.toContain(secret);
    });

    it('leaves out what the pages of the portal request for themselves', async () => {
      const own = await createPortal();
      onTestFinished(() => own.close());
      const paths = ['/', '/docs', '/openapi.json', '/favicon.ico', '/_control/tenants', '/v1/elsewhere'];
      for (const path of paths) await fetch(own.url + path);
      expect(await own.requests.waitFor({ path: '/v1/elsewhere' })).toHaveLength(1);
      expect((await own.requests.list()).map(({ path }) => path)).toEqual(['/v1/elsewhere']);
    });

    it('redacts a secret under an unusual field name', async () => {
      const body = { passphrase: acme.passPhrase, 'Api-Key': acme.apiKey };
      await administer(acme, 'POST /v1/roles?PassPhrase=in-the-query', { body });
      const [refused] = await portal.requests.waitFor({
        method: 'POST',
        path: '/v1/roles',
        text: 'passphrase',
      });
      expect(refused).toMatchObject({ status: 400, query: 'PassPhrase=***' });
      expect(JSON.stringify(refused)).not.toContain(acme.passPhrase);
      expect(JSON.stringify(refused)).not.toContain(acme.apiKey);
    });

    it('redacts the known secrets wherever they stand', async () => {
      const chosen = { passPhrase: 'ein "gutes" Wort é', key: 'a-key-of-the-seed+1' };
      const own = await createPortal({
        seed: {
          tenants: [
            {
              tenantId: 7,
              tenancyName: 'own',
              displayName: 'Own',
              passPhrase: chosen.passPhrase,
              apiKeys: [{ name: 'Own', key: chosen.key }],
            },
          ],
        },
      });
      onTestFinished(() => own.close());
      const [tenant] = own.tenants;
      if (tenant === undefined) throw new Error('The seed has a tenant.');
      const issued = await own.createTenant();
      for (const { passPhrase, apiKey } of [{ ...chosen, apiKey: chosen.key }, issued]) {
        const swapped = { ...tenant, passPhrase: apiKey, tenancyName: passPhrase };
        await requestKey({ tenant: swapped, itemId: 1, userId: passPhrase });
        await requestKey({ tenant: swapped, itemId: 1, headers: { 'Svc.TenantId': apiKey } });
        await administer(
          tenant,
          `GET /v1/users/${encodeURIComponent(passPhrase)}?page=${encodeURIComponent(apiKey)}`,
        );
        await administer(tenant, 'POST /v1/roles', {
          body: { name: passPhrase, type: 'Report', [apiKey]: 1 },
        });
        await administer(tenant, 'POST /v1/users', { body: `not JSON: ${passPhrase}` });
      }
      const everything = JSON.stringify(await own.requests.list());
      expect(everything.match(/\*{3}/g)?.length).toBeGreaterThan(20);
      for (const secret of [chosen.passPhrase, chosen.key, issued.passPhrase, issued.apiKey])
        for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
          expect(everything).not.toContain(form);
      expect(everything).not.toContain('gutes');
    });

    it('redacts secrets in other headers and in the query of the referrer', async () => {
      await administer(acme, 'GET /v1/tasks?access_token=in-the-query', {
        headers: { 'x-api-key': acme.apiKey, referer: 'http://host.example/report/1042?ev=the-key' },
      });
      const [seen] = await portal.requests.waitFor({ path: '/v1/tasks', status: 400 });
      expect(seen?.headers).toMatchObject({ 'x-api-key': '***', referer: 'http://host.example/report/1042' });
      expect(seen?.query).toBe('access_token=***');
    });

    it('searches text and paths with an underscore or a percent sign literally', async () => {
      await administer(acme, 'GET /v1/users/under_score');
      await administer(acme, 'GET /v1/users/underscore');
      await administer(acme, 'POST /v1/roles', { body: { name: 'under_score', kind: '100%' } });
      const paths = (await portal.requests.list({ path: '/v1/users/under_*' })).map(({ path }) => path);
      expect(paths).toEqual(['/v1/users/under_score']);
      expect(await portal.requests.list({ text: 'under_sc' })).toHaveLength(1);
      expect(await portal.requests.list({ text: '100%' })).toHaveLength(1);
    });

    it('continues after a name that a database cannot store', async () => {
      await administer(acme, 'GET /v1/roles?%00=1');
      await administer(acme, 'GET /v1/links?after=it');
      const [after] = await portal.requests.waitFor({ path: '/v1/links' });
      expect(after).toMatchObject({ query: 'after=it' });
      expect((await portal.requests.list({ path: '/v1/roles' })).at(-1)).toMatchObject({ query: '%00=1' });
    });

    it('waits for a request, and reports what it saw when none arrives', async () => {
      const waiting = portal.requests.waitFor({ path: '/v1/tasks', tenancyName: 'acme' });
      await administer(acme, 'GET /v1/tasks');
      expect(await waiting).toHaveLength(1);
      await expect(portal.requests.waitFor({ path: '/never' }, { timeoutMs: 20 })).rejects.toThrow('saw 0');
    });
  });

  describe('webhooks', () => {
    /** A receiver that answers with a chosen status and records deliveries. */
    const receive = async (status = 200) => {
      const bodies: { body: any; authorization: string | undefined }[] = [];
      const server = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          bodies.push({
            body: JSON.parse(Buffer.concat(chunks).toString()),
            authorization: request.headers.authorization,
          });
          if (status > 0) response.writeHead(status).end();
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const stop = () => {
        server.close();
        server.closeAllConnections();
      };
      return { url: `http://127.0.0.1:${port}/hook`, bodies, stop };
    };
    const withReceiver = async (
      status: number,
      work: (tenant: PortalTenant, receiver: Awaited<ReturnType<typeof receive>>) => Promise<void>,
    ) => {
      const receiver = await receive(status);
      try {
        const tenant = await portal.createTenant();
        await portal.setActionTarget(tenant.tenancyName, receiver.url);
        await work(tenant, receiver);
      } finally {
        receiver.stop();
      }
    };
    const select = async (
      tenant: PortalTenant,
      points: string[][],
      roleNames = ['region-north', 'region-south'],
    ) => {
      const key = await mintKey({ tenant, itemId: 1042, roleNames, userId: 'clicker@acme.example' });
      return askTenant(tenant.tenantUrl, '/report/1042/actions', {
        method: 'POST',
        headers: { authorization: `ReportKey ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ visual: 'revenue-by-region', columns: ['Region'], points, filters: [] }),
      });
    };

    it('sends metadata and the selected data, computed from the rows of the viewer', async () => {
      await withReceiver(204, async (tenant, receiver) => {
        expect((await select(tenant, [['North'], ['South'], ['West']])).status).toBe(202);
        const [delivery] = await portal.deliveries.waitFor({ tenancyName: tenant.tenancyName });
        expect(delivery).toMatchObject({
          outcome: 'delivered',
          status: 204,
          visual: 'revenue-by-region',
          replayOf: null,
        });
        const [sent] = receiver.bodies;
        expect(sent?.authorization).toBe(`Bearer ${(acme.webhookSecret, tenant.webhookSecret)}`);
        expect(sent?.body.metadata).toEqual({
          actionTriggeredAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
          clientUrl: tenant.tenantUrl,
          currentUser: expect.any(Number),
          reportId: tenant.items[0]?.guid,
          reportName: 'Sales by region',
          tenancyName: tenant.tenancyName,
          visualName: 'revenue-by-region',
        });
        // The viewer may not see the West, so the webhook must not contain it.
        expect(sent?.body.visualData[0].data.map((point: any) => point.identity[0])).toEqual([
          { equals: 'North', target: { table: 'Sales', column: 'Region' } },
          { equals: 'South', target: { table: 'Sales', column: 'Region' } },
        ]);
        expect(sent?.body.visualData[0].data[0].values[0]).toEqual({
          value: expect.any(Number),
          formattedValue: expect.stringMatching(/^€[\d,]+$/),
          target: {
            $schema: expect.any(String),
            aggregationFunction: 'Sum',
            table: 'Sales',
            column: 'Revenue',
          },
        });
      });
    });

    it('sends empty data when the selection is cleared', async () => {
      await withReceiver(200, async (tenant, receiver) => {
        await select(tenant, []);
        await portal.deliveries.waitFor({ tenancyName: tenant.tenancyName });
        expect(receiver.bodies[0]?.body.visualData).toEqual([{ visual: 'revenue-by-region', data: [] }]);
      });
    });

    it('sends once, whatever the receiver answers, and records it in the audit log', async () => {
      await withReceiver(500, async (tenant, receiver) => {
        await select(tenant, [['North']]);
        const [delivery] = await portal.deliveries.waitFor({
          tenancyName: tenant.tenancyName,
          outcome: 'failed',
        });
        expect(delivery?.status).toBe(500);
        expect(receiver.bodies).toHaveLength(1);
        const { items } = (await administer(tenant, 'GET /v1/audit-logs?actionType=TaskFailed')).body;
        expect(items).toMatchObject([{ resourceId: String(delivery?.taskId), result: 'failure' }]);
      });
    });

    it('says why a receiver has no delivery: it is silent for ten seconds, or not there', async () => {
      const timeout = AbortSignal.timeout.bind(AbortSignal);
      const limit = vi
        .spyOn(AbortSignal, 'timeout')
        .mockImplementation((ms) => timeout(ms === 10_000 ? 100 : ms));
      onTestFinished(() => limit.mockRestore());
      await withReceiver(0, async (tenant, receiver) => {
        await select(tenant, [['North']]);
        const { tenancyName } = tenant;
        const [silent] = await portal.deliveries.waitFor({ tenancyName, outcome: 'failed' });
        expect(silent?.error).toBe('no response within 10 s');
        receiver.stop();
        await select(tenant, [['North']]);
        const [, absent] = await portal.deliveries.waitFor({ tenancyName, outcome: 'failed' }, { count: 2 });
        expect(absent?.error).toBe('ECONNREFUSED');
      });
    });

    it('can be delayed, duplicated, lost or reordered', async () => {
      await withReceiver(200, async (tenant, receiver) => {
        const { tenancyName } = tenant;
        portal.clock.freeze();
        const late = portal.faults.add({ effect: { kind: 'webhookDelay', delayMs: 60_000 }, tenancyName });
        await select(tenant, [['North']]);
        expect(receiver.bodies).toHaveLength(0);
        portal.clock.advance(60_000);
        await portal.deliveries.waitFor({ tenancyName });
        portal.faults.remove(late);

        const twice = portal.faults.add({ effect: { kind: 'webhookTwice' }, tenancyName });
        await select(tenant, [['North']]);
        await portal.deliveries.waitFor({ tenancyName }, { count: 3 });
        expect(receiver.bodies[1]?.body).toEqual(receiver.bodies[2]?.body);
        portal.faults.remove(twice);

        const lost = portal.faults.add({ effect: { kind: 'webhookLost' }, tenancyName });
        await select(tenant, [['North']]);
        await portal.deliveries.waitFor({ tenancyName, outcome: 'lost' });
        expect(receiver.bodies).toHaveLength(3);
        portal.faults.remove(lost);

        portal.faults.add({ effect: { kind: 'webhookDelay', delayMs: 60_000 }, tenancyName, times: 1 });
        await select(tenant, [['North']]);
        await select(tenant, []);
        await portal.deliveries.waitFor({ tenancyName }, { count: 5 });
        portal.clock.advance(60_000);
        await portal.deliveries.waitFor({ tenancyName }, { count: 6 });
        expect(receiver.bodies.slice(3).map((sent) => sent.body.visualData[0].data.length)).toEqual([0, 1]);
      });
    });

    it('rejects a URL with a password and a secret that no header can carry, by name', async () => {
      const refusedOf = async (task: object) => {
        const response = await control('POST /tenants/acme/tasks', { name: 'Refused', ...task });
        const { error } = (await response.json()) as { error: { validationErrors: { members: string[] }[] } };
        return [response.status, ...error.validationErrors.flatMap(({ members }) => members)];
      };
      expect(await refusedOf({ webhookUrl: 'http://user:secret@127.0.0.1/hook' })).toEqual([
        400,
        'webhookUrl',
      ]);
      expect(await refusedOf({ webhookUrl: 'nowhere' })).toEqual([400, 'webhookUrl']);
      expect(await refusedOf({ itemId: 1042, secret: 'two\nlines' })).toEqual([400, 'secret']);
      await expect(portal.setActionTarget('acme', 'http://user:secret@127.0.0.1/hook')).rejects.toThrow(
        'actionTarget: must not contain a user name or password',
      );
    });

    it('can be resent from the log', async () => {
      await withReceiver(200, async (tenant, receiver) => {
        await select(tenant, [['North']]);
        const [delivery] = await portal.deliveries.waitFor({ tenancyName: tenant.tenancyName });
        await portal.deliveries.replay(delivery?.id ?? 0);
        const all = await portal.deliveries.list({ tenancyName: tenant.tenancyName });
        expect(all.map((one) => one.replayOf)).toEqual([null, delivery?.id]);
        expect(receiver.bodies[0]?.body).toEqual(receiver.bodies[1]?.body);
      });
    });

    it('rejects a selection without a key, on an unknown visual or with an unknown column', async () => {
      const tenant = await portal.createTenant();
      const key = await mintKey({ tenant, itemId: 1042, roleNames: ['region-north'] });
      const post = (body: object, sent = key) =>
        askTenant(tenant.tenantUrl, '/report/1042/actions', {
          method: 'POST',
          headers: { authorization: `ReportKey ${sent}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            visual: 'revenue-by-region',
            columns: [],
            points: [],
            filters: [],
            ...body,
          }),
        });
      expect((await post({}, 'nothing')).status).toBe(403);
      expect((await post({ visual: 'nothing' })).status).toBe(404);
      expect((await post({ columns: ['Owner'], points: [['x']] })).status).toBe(400);
    });
  });

  describe('its URL', () => {
    it('is never on the public origin of a tenant', async () => {
      const answer = await askTenant(acme.tenantUrl, '/_control/clock');
      expect([answer.status, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    });

    it('rejects web pages of another origin and rebound host names', async () => {
      expect((await control('POST /reset', undefined, { origin: acme.tenantUrl })).status).toBe(403);
      expect((await control('POST /reset', undefined, { origin: 'https://elsewhere.example' })).status).toBe(
        403,
      );
      const host = new URL(portal.url).host.replace('127.0.0.1', 'borrowed.example');
      const borrowed = await askTenant(portal.url, '/_control/clock', { headers: { host } });
      expect(borrowed.status).toBe(403);
      expect((await control('GET /clock', undefined, { origin: portal.url })).status).toBe(200);
    });
  });
});
