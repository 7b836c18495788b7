import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runDoctor } from '../../src/cli/lib/doctor/runDoctor.ts';
import { portalEnv } from '../packages/harness/portalEnv.ts';
import { startConnectProxy } from '../support/connectProxy.ts';
import { findCanary } from '../support/findCanary.ts';
import {
  connectionTo,
  envelopeOf,
  refusalOf,
  respondToCall,
  type StandInAnswer,
  startStandInPortal,
} from '../support/standInPortal.ts';
import { certificateKeyPath, certificatePath, startTlsPortal, trust } from '../support/tlsPortal.ts';

interface Running {
  readonly connection: ReturnType<typeof connectionTo>;
  readonly itemId?: number | undefined;
}

const options = {
  itemId: undefined,
  userId: 'north.manager@acme.example',
  roleNames: [],
  origin: undefined,
  timeoutMs: 1000,
  signal: new AbortController().signal,
};

/** Every result of vitrine doctor, and the first with advice. */
const examine = async (running: Running, env: Record<string, string> = {}) => {
  const { connection, itemId } = running;
  const lines = [];
  for await (const line of runDoctor({
    ...options,
    itemId,
    env: { ...portalEnv(running.connection), ...env },
  }))
    lines.push(line);
  const { apiKey, passPhrase } = connection;
  expect(findCanary(JSON.stringify(lines), apiKey, passPhrase, 'Vw7rTq2Hn4')).toBeUndefined();
  const first = lines.find(({ status, next }) => status !== 'ok' && next !== undefined);
  return { lines, id: first?.id, next: first?.next ?? '' };
};

/** A portal of one mode, with its own key responses. */
const portalOf = async (
  answer: (call: Parameters<typeof respondToCall>[0]) => StandInAnswer = respondToCall,
) => {
  const portal = await startStandInPortal();
  onTestFinished(() => portal.close());
  portal.answer = (call) => (call.method === 'POST' ? answer(call) : respondToCall(call));
  const tenantUrl = portal.url.replace('127.0.0.1', 'acme.localhost');
  return { connection: { ...connectionTo(portal.url), tenantUrl }, itemId: 1042 };
};

describe('the first advice of vitrine doctor', () => {
  it('names the API key first and the header second when the portal gives the same answer to everything', async () => {
    const { id, next } = await examine(
      await portalOf(() => ({ status: 401, body: refusalOf(401, 'Unauthorized.') })),
    );
    expect([id, next]).toEqual([
      'api_key',
      expect.stringMatching(/^Check VITRINE_API_KEY.*If all of this is right.*dot/),
    ]);
  });

  it('names the header when a portal that accepts the key reports a missing tenant', async () => {
    const running = await portalOf(({ headers }) => ({
      status: 401,
      body: refusalOf(
        401,
        headers.authorization?.includes('Zq83nVb2Lw0x') ? 'No context.' : 'Unknown credentials.',
      ),
    }));
    expect((await examine(running)).id).toBe('tenant_header');
  });

  it.each<readonly [said: string, status: number, id: string, advice: RegExp]>([
    [
      'User vitrine-doctor does not exist.',
      400,
      'key',
      /user exists and is active: compare --user \(now ".+"\)/,
    ],
    [
      'Creating embed token requires effective identity to be provided',
      500,
      'key',
      /^Compare --role.*may require one/,
    ],
    ['The capacity is paused. CapacityNotActive', 500, 'key', /^Contact the portal's operator/],
    ['You may not see this report.', 500, 'key', /^Share the report.*\(now 1042\)/],
    [
      'Current user did not have permission Administration.ItemLinks.BiItems',
      401,
      'permissions',
      /^The API key needs the permissions/,
    ],
  ])(
    'matches the message of a portal that accepts the secrets: %s',
    async (...[said, status, id, advice]) => {
      const running = await portalOf(({ body, headers }) => {
        const { passPhrase, tenancyName } = JSON.parse(body);
        if (tenancyName !== running.connection.tenancyName)
          return { status: 500, body: refusalOf(0, 'Wrong tenancy.') };
        if (headers.authorization !== `ApiKey ${running.connection.apiKey}`)
          return { status: 401, body: refusalOf(0, 'Unknown API key.') };
        if (passPhrase !== running.connection.passPhrase)
          return { status: 500, body: refusalOf(0, 'Wrong passphrase.') };
        return { status, body: refusalOf(0, said) };
      });
      const found = await examine({ ...running, itemId: 1042 });
      expect([found.id, found.next]).toEqual([id, expect.stringMatching(advice)]);
      if (advice.source.includes('the report'))
        expect(found.lines.find((line) => line.id === 'passphrase')?.status).toBe('ok');
      expect(found.lines.find((line) => line.id === id)?.detail).toContain(said.replace(/\.$/, ''));
    },
  );

  it('suggests comparing the tenant number when a wrong number and none get the same answer', async () => {
    for (const said of ['Der Mandant wurde nicht gefunden.', 'Unknown tenant id.']) {
      const running = await portalOf(() => ({ status: 400, body: refusalOf(0, said) }));
      const { id, next } = await examine({ ...running, itemId: 1042 });
      expect([id, next]).toEqual([
        'tenant_header',
        expect.stringMatching(/^Compare VITRINE_TENANT_ID \(now \d+\).*dot/),
      ]);
    }
    const other = await portalOf(({ headers }) => ({
      status: 400,
      body: refusalOf(0, headers['svc.tenantid'] === undefined ? 'No tenant id.' : 'Wrong tenant id.'),
    }));
    const { next } = await examine({ ...other, itemId: 1042 });
    expect(next).toMatch(/^Compare VITRINE_TENANT_ID \(now \d+\) with the ID of the tenant in the portal\.$/);
  });

  it('names a wrong API key even if the clock is hours off', async () => {
    const running = await portalOf(() => ({
      status: 401,
      body: refusalOf(0, 'Unknown API key.'),
      headers: { date: new Date(Date.now() + 36_000_000).toUTCString() },
    }));
    const { lines } = await examine(running);
    const failures = lines.filter(({ status }) => status === 'failed');
    expect(failures.map(({ id }) => id)).toEqual(['clock', 'api_key']);
    expect(failures[1]?.detail).toContain('Unknown API key');
  });

  it('shows the permission that the portal names', async () => {
    const running = await portalOf(() => ({
      status: 403,
      body: refusalOf(403, 'Missing Administration.BiReports.Create.'),
    }));
    const { lines, id } = await examine(running);
    expect(id).toBe('permissions');
    expect(lines.find((line) => line.id === id)?.detail).toContain('Missing Administration.BiReports.Create');
  });

  it('names the tenancy name when the portal checks it last and repeats it', async () => {
    const { connection, itemId } = await portalOf(({ body }) => {
      const { passPhrase, tenancyName } = JSON.parse(body);
      if (passPhrase !== connection.passPhrase)
        return { status: 500, body: refusalOf(500, 'The passphrase is wrong.') };
      return { status: 500, body: refusalOf(500, `There is no tenant ${tenancyName}.`) };
    });
    const { id, next } = await examine({ connection, itemId });
    expect([id, next]).toEqual(['tenancy_name', expect.stringMatching(/^Compare VITRINE_TENANCY_NAME/)]);
  });

  it("names the passphrase even if the portal's message contains the passphrase as a word", async () => {
    const running = await portalOf(({ body }) => ({
      status: 500,
      body: refusalOf(500, `The ${JSON.parse(body).passPhrase === 'right' ? 'end' : 'passphrase'} is wrong.`),
    }));
    const { id, next } = await examine(running, { VITRINE_PASSPHRASE: 'wrong' });
    expect([id, next]).toEqual(['passphrase', expect.stringMatching(/^Copy the passphrase/)]);
  });

  it('names the report when the portal forbids only this report', async () => {
    const running = await portalOf((call) => {
      const { value } = JSON.parse(call.body);
      return value.reportId === 1042
        ? { status: 403, body: refusalOf(403, 'No access to this report.') }
        : { status: 404, body: refusalOf(404, 'There is no such report.') };
    });
    const { id, next } = await examine({ ...running, itemId: 1042 });
    expect([id, next]).toEqual(['key', expect.stringMatching(/^Share the report.*\(now 1042\)/)]);
  });

  it('refers to the operator of the portal when the portal sends its own message', async () => {
    const running = await portalOf(() => ({ status: 500, body: refusalOf(0, 'The capacity is paused.') }));
    const { id, next, lines } = await examine({ ...running, itemId: 1042 });
    expect([id, next]).toEqual(['key', expect.stringMatching(/^Contact the portal's operator/)]);
    expect(next).not.toMatch(/\bdot\b/);
    // A response that a wrong API key gets too is not evidence for the earlier checks.
    const before = ['tenant_header', 'api_key', 'permissions', 'passphrase'];
    expect(lines.filter(({ id: check }) => before.includes(check)).map(({ status }) => status)).toEqual(
      before.map(() => 'skipped'),
    );
  });

  it('names the API key when it has expired, and the operator of the portal when something else has expired', async () => {
    const key = await portalOf(() => ({ status: 500, body: refusalOf(500, 'The API key has expired.') }));
    const advised = await examine(key);
    expect([advised.id, advised.next]).toEqual([
      'api_key',
      expect.stringMatching(/^Check VITRINE_API_KEY.*If it has expired, create a new one/),
    ]);
    const license = await portalOf(() => ({ status: 500, body: refusalOf(0, 'The license has expired.') }));
    expect((await examine(license)).next).toMatch(/^Contact the portal's operator/);
  });

  it('suggests one cause after another, also when the error is text instead of an envelope', async () => {
    const running = await portalOf(({ body }) => {
      const error = JSON.parse(body).passPhrase === running.connection.passPhrase ? 'boom' : 'bang';
      return { status: 500, body: JSON.stringify({ success: false, error }) };
    });
    const { id, next } = await examine({ ...running, itemId: 1042 });
    expect([id, next]).toEqual(['tenancy_name', expect.stringMatching(/^Compare VITRINE_TENANCY_NAME/)]);
    expect(next).not.toContain('vitrine doctor');
  });

  it('shows the field that the portal names, and suggests checking the report number first', async () => {
    const error = {
      code: 0,
      message: 'Your request is not valid!',
      validationErrors: [
        { message: 'The field ReportId must be between 1 and 5.', members: ['value.reportId'] },
      ],
    };
    const body = JSON.stringify({ result: null, success: false, error, __abp: true });
    const { id, next, lines } = await examine(await portalOf(() => ({ status: 400, body })));
    expect([id, next]).toEqual(['key', expect.stringMatching(/^Check --item/)]);
    expect(lines.find(({ id: check }) => check === 'key')?.detail).toContain(
      'value.reportId: The field ReportId must be between 1 and 5.',
    );
  });

  it('marks no check as passed after an empty 401', async () => {
    const { lines } = await examine(await portalOf(() => ({ status: 401, body: '' })));
    expect(lines.find(({ id: check }) => check === 'tenant_header')?.status).toBe('skipped');
  });

  it('marks no secret as accepted if the portal looks for the report first', async () => {
    const running = await portalOf(() => ({ status: 404, body: refusalOf(404, 'There is no such item.') }));
    const statuses = async (itemId?: number) => {
      const { lines } = await examine({ ...running, itemId });
      const ids = ['api', 'api_key', 'permissions', 'passphrase'];
      return lines.filter(({ id }) => ids.includes(id)).map(({ status }) => status);
    };
    expect(await statuses()).toEqual(['ok', 'skipped', 'skipped', 'skipped']);
    expect(await statuses(1042)).toEqual(['ok', 'skipped', 'skipped', 'skipped']);
    // Control: a portal that checks the secrets first.
    const checking = await portalOf();
    const { lines } = await examine({ ...checking, itemId: undefined });
    expect(lines.find(({ id }) => id === 'passphrase')?.status).toBe('ok');
  });

  it('marks no passphrase as accepted if the portal refuses the role before it compares', async () => {
    const running = await portalOf(({ headers }) =>
      headers.authorization === `ApiKey ${running.connection.apiKey}`
        ? { status: 500, body: refusalOf(0, 'The role "north" is not assigned to the report.') }
        : { status: 401, body: refusalOf(401, 'Unauthorized.') },
    );
    const { id, lines } = await examine(running);
    const [apiKey, passphrase] = ['api_key', 'passphrase'].map((one) =>
      lines.find((line) => line.id === one),
    );
    expect([id, apiKey?.detail]).toEqual(['key', 'not refused, unlike a wrong one']);
    expect([passphrase?.status, passphrase?.detail]).toEqual([
      'skipped',
      'unknown: the portal sends the same response for a wrong one',
    ]);
  });

  it('mentions the report when the portal gives no reason', async () => {
    const running = await portalOf(() => ({ status: 500, body: refusalOf(500, 'An error occurred.') }));
    const { next } = await examine({ ...running, itemId: 1042 });
    expect(next).toMatch(/VITRINE_TENANCY_NAME.*copy the passphrase again.*\(now 1042\)/);
  });

  it.each([
    [401, '', 'api_key', /^Check VITRINE_API_KEY.*If all of this is right, a firewall or gateway/],
    [
      401,
      '{"title":"Unauthorized"}',
      'api_key',
      /^Check VITRINE_API_KEY.*If all of this is right, a firewall or gateway/,
    ],
    [
      403,
      '',
      'permissions',
      /^The API key needs the permissions.*If all of this is right, a firewall or gateway/,
    ],
    [
      403,
      '{"message":"Forbidden"}',
      'permissions',
      /^The API key needs the permissions.*a firewall or gateway/,
    ],
  ])(
    'names the API key or its permissions, then a gateway, after %i and "%s"',
    async (status, body, ...expectedAdvice) => {
      const { id, next } = await examine(await portalOf(() => ({ status, body })));
      const [check, advice] = expectedAdvice;
      expect([id, next]).toEqual([check, expect.stringMatching(advice)]);
    },
  );

  it('names the clock when the portal rejects an expiration in the past', async () => {
    const running = await portalOf(() => ({
      status: 400,
      headers: { date: new Date(Date.now() + 3_600_000).toUTCString() },
      body: refusalOf(400, 'The expiration must be in the future.'),
    }));
    expect((await examine(running)).id).toBe('clock');
  });
});

describe('a clock that is wrong', () => {
  it('does not change the result of checks that the portal accepted', async () => {
    const running = await portalOf((call) => ({
      ...respondToCall(call),
      headers: { date: new Date(Date.now() + 3_600_000).toUTCString() },
    }));
    const { id, lines } = await examine({ ...running, itemId: 1042 });
    expect(id).toBe('clock');
    for (const check of ['tenant_header', 'api_key', 'permissions', 'passphrase', 'key'])
      expect([check, lines.find((line) => line.id === check)?.status]).toEqual([check, 'ok']);
  });
});

describe('an error page instead of the report', () => {
  it.each([
    [302, /^Check that VITRINE_TENANT_URL.*same tenant.*gateway/],
    [403, /^Check that VITRINE_TENANT_URL.*same tenant.*firewall/],
    [404, /belong to the same tenant/],
    [500, /cannot show the report/],
    [511, /requires a sign-in/],
  ])('is reported with its status %i', async (status, advice) => {
    const portal = await startStandInPortal();
    onTestFinished(() => portal.close());
    const { connection, itemId } = await portalOf();
    portal.answer = (call) =>
      call.method === 'POST' ? respondToCall(call) : { status, headers: { location: '/login' }, body: '' };
    const tenantUrl = portal.url.replace('127.0.0.1', 'acme.localhost');
    const { id, next, lines } = await examine({ connection: { ...connection, tenantUrl }, itemId });
    expect([id, next]).toEqual(['report_page', expect.stringMatching(advice)]);
    expect(lines.find((line) => line.id === 'framing')?.status).toBe('skipped');
  });
});

describe('an address or tenant that is wrong', () => {
  it.each(['/v2', '/api/', '/bi/portal'])('is named when the API has no path %s', async (path) => {
    const running = await portalOf((call) =>
      call.url.startsWith('/api/services/') ? respondToCall(call) : { status: 404, body: '<html>' },
    );
    const apiBaseUrl = `${running.connection.apiBaseUrl}${path}`;
    const { id, next } = await examine({ ...running, connection: { ...running.connection, apiBaseUrl } });
    const part = path.replace(/\/$/, '');
    expect([id, next]).toEqual([
      'api',
      `The portal API responds without the path of VITRINE_API_BASE_URL, and not with it: remove ${part} from the address.`,
    ]);
    // Control: a service that is no portal at any path.
    const other = await portalOf(() => ({ status: 404, body: '<html>' }));
    const wrong = { ...other.connection, apiBaseUrl: `${other.connection.apiBaseUrl}${path}` };
    expect((await examine({ ...other, connection: wrong })).next).toMatch(/^Check VITRINE_API_BASE_URL/);
  });

  it.each([
    ['VITRINE_TENANT_URL', '/report/1042', /is the address of one report \(\/report\/1042\)/],
    [
      'VITRINE_API_BASE_URL',
      '/api/services/app',
      /contains the path of an endpoint \(\/api\/services\/app\)/,
    ],
    ['VITRINE_BASE_URL', '/v1/users', /contains the path of an endpoint \(\/v1\/users\)/],
  ])('is named when %s ends in %s', async (name, path, detail) => {
    const { lines, id, next } = await examine(await portalOf(), { [name]: `https://portal.example${path}` });
    expect([id, next]).toEqual(['values', `Correct ${name}.`]);
    expect(lines.find((line) => line.id === 'values')?.detail).toMatch(detail);
  });
});

describe('a variable that nothing reads', () => {
  it.each([
    ['VITRINE_KEY_LIFETME', 'variables'],
    ['VITRINE_TENANT_ID_HAEDER', 'values'],
  ])('is named: %s', async (name, check) => {
    const { lines, id } = await examine(await portalOf(), { [name]: 'Vw7rTq2Hn4' });
    expect(lines.find((line) => line.id === check)?.detail).toContain(name);
    expect(id).toBe('variables');
  });

  it.each(['VITRINE_WEBHOOK_SECRET', 'VITRINE_SECOND_TENANT_ID', 'VITE_TITLE'])(
    'control: not %s',
    async (name) => {
      const { lines } = await examine(await portalOf(), { [name]: 'Vw7rTq2Hn4' });
      expect(lines[0]).toMatchObject({ id: 'variables', status: 'ok' });
    },
  );
});

describe('a user that no request can have', () => {
  it('is not blamed on the address', async () => {
    const running = await portalOf();
    const lines = [];
    const env = { ...portalEnv(running.connection), NO_PROXY: '*' };
    for await (const line of runDoctor({ ...options, env, userId: '' })) lines.push(line);
    expect(lines.filter(({ status }) => status === 'failed').map(({ id }) => id)).toEqual(['key']);
    expect(lines.find(({ id }) => id === 'api')?.status).toBe('skipped');
  });
});

describe('a passphrase in quotation marks', () => {
  it('is reported', async () => {
    const { connection, itemId } = await portalOf();
    const passPhrase = `"${connection.passPhrase}"`;
    expect((await examine({ connection: { ...connection, passPhrase }, itemId })).next).toContain(
      'in quotation marks',
    );
  });
});

describe('a quoted value that is not a secret', () => {
  it.each([
    ['VITRINE_TENANT_ID', '"17"'],
    ['VITRINE_TENANCY_NAME', "'acme'"],
    ['VITRINE_API_BASE_URL', '"https://api.portal.example"'],
    ['VITRINE_TENANT_ID_HEADER', '"X-Tenant"'],
  ])('is reported: %s=%s', async (name, value) => {
    const { lines, id, next } = await examine(await portalOf(), { [name]: value });
    expect([id, next]).toEqual(['values', `Correct ${name}.`]);
    expect(lines.find((line) => line.id === 'values')?.detail).toContain('is in quotation marks');
  });
});

describe('a trusted certificate outside its validity period', () => {
  it.each([
    ['expired', 'CERT_HAS_EXPIRED', /VITRINE_API_BASE_URL has expired: ask the operator/],
    ['not-yet-valid', 'CERT_NOT_YET_VALID', /VITRINE_API_BASE_URL is not valid yet: check the clock/],
  ] as const)('is reported as %s', async (name, code, advice) => {
    const tls = await startTlsPortal(name);
    const { connection } = await portalOf();
    trust(name);
    const { lines, id, next } = await examine({ connection: { ...connection, apiBaseUrl: tls.url } });
    expect([id, next]).toEqual(['tls', expect.stringMatching(advice)]);
    expect(lines.find((line) => line.id === 'tls')?.detail).toContain(code);
  });
});

describe('a portal that requires a client certificate', () => {
  it('is distinguished from a portal that fails, with a hint about the missing certificate', async () => {
    const tls = await startTlsPortal('portal', undefined, 'client');
    const { connection } = await portalOf();
    trust('authority');
    const { id, next } = await examine({ connection: { ...connection, apiBaseUrl: tls.url } });
    expect([id, next]).toEqual([
      'api',
      expect.stringMatching(/upstream\.dispatcher.*The doctor itself has no client certificate/),
    ]);
  });
});

describe('a portal that offers only HTTP/2', () => {
  it.each([
    [false, 'failed', /offers only HTTP\/2.*allow HTTP\/1\.1/],
    [true, 'ok', /^$/],
  ])('is named; control: HTTP/1.1 is offered too: %s', async (allowHTTP1, status, advice) => {
    const cert = readFileSync(certificatePath('portal'));
    const server = createSecureServer(
      { cert, key: readFileSync(certificateKeyPath), allowHTTP1 },
      (_request, response) => response.end(JSON.stringify(envelopeOf('key'))),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    // The address of a server that listens on a port has this shape.
    const { port } = server.address() as AddressInfo;
    const { connection } = await portalOf();
    trust('authority');
    const apiBaseUrl = `https://localhost:${port}`;
    const { lines } = await examine({ connection: { ...connection, apiBaseUrl }, itemId: 1042 });
    const line = lines.find(({ id }) => id === 'http');
    expect([line?.status, line?.next ?? '']).toEqual([status, expect.stringMatching(advice)]);
  });
});

describe('a tenant host that does not respond', () => {
  it('does not prevent the check of the API, which may use another port of the same host', async () => {
    const tls = await startTlsPortal('portal');
    const { connection } = await portalOf();
    trust('authority');
    const { lines } = await examine({
      connection: { ...connection, apiBaseUrl: tls.url, tenantUrl: 'https://localhost:9' },
    });
    const page = lines.find((line) => line.id === 'report_page');
    expect([page?.status, page?.next]).toEqual([
      'failed',
      expect.stringMatching(/^Nothing listens at VITRINE_TENANT_URL.*browsers of your viewers/),
    ]);
    expect(lines.find((line) => line.id === 'api')?.detail).toContain('responds');
  });
});

describe('a secret rotation', () => {
  it('shows which secrets the portal accepts', async () => {
    const running = await portalOf();
    const { apiKey, passPhrase } = running.connection;
    const { lines, id, next } = await examine(
      {
        ...running,
        connection: { ...running.connection, apiKey: 'Jd93mXz7QpLb', passPhrase: 'Rb52kYt8WcNe' },
      },
      { VITRINE_API_KEY_PREVIOUS: apiKey, VITRINE_PASSPHRASE_PREVIOUS: passPhrase },
    );
    expect([id, next]).toEqual(['api_key', expect.stringContaining('Activate the new secret')]);
    const used = lines.filter(({ status }) => status === 'warning').map(({ detail }) => detail);
    expect(used).toEqual([
      'the portal refused VITRINE_API_KEY and accepted VITRINE_API_KEY_PREVIOUS',
      'the portal refused VITRINE_PASSPHRASE and accepted VITRINE_PASSPHRASE_PREVIOUS',
    ]);
    expect(lines.find(({ id: check }) => check === 'key')?.status).toBe('ok');
  });
});

describe('a proxy', () => {
  it('is used and named', async () => {
    const proxy = await startConnectProxy();
    const { connection } = await portalOf();
    const remote = { connection: { ...connection, apiBaseUrl: 'https://portal.invalid' } };
    const { lines } = await examine(remote, { HTTP_PROXY: proxy.url });
    expect(lines.find((line) => line.id === 'proxy')?.detail).toBe(`requests go through ${proxy.url}`);
    expect(proxy.requests).not.toEqual([]);
  });

  it.each([
    ['requires a password', { credentials: 'host:Wq8sLp3Xk' }, /requires a user name and password/],
    ['blocks the portal', { status: 403 }, /does not connect to the host.*NO_PROXY/],
  ])('is named as the cause when it %s', async (_title, options, advice) => {
    const tls = await startTlsPortal('portal');
    const proxy = await startConnectProxy(options);
    const { connection } = await portalOf();
    const HTTPS_PROXY = proxy.url.replace('//', '//host:Vw7rTq2Hn4@');
    const { id, next } = await examine(
      { connection: { ...connection, apiBaseUrl: tls.url, tenantUrl: tls.url } },
      { HTTPS_PROXY },
    );
    expect([id, next]).toEqual(['proxy', expect.stringMatching(advice)]);
  });

  it('is named as the cause when it is down or its address is invalid', async () => {
    const proxy = await startConnectProxy();
    await proxy.close();
    const { connection } = await portalOf();
    const remote = { connection: { ...connection, apiBaseUrl: 'https://api.portal.example' } };
    expect((await examine(remote, { HTTPS_PROXY: proxy.url })).next).toContain(
      `through the proxy ${proxy.url}`,
    );
    const wrong = await examine(remote, { HTTPS_PROXY: 'ftp://host:Vw7rTq2Hn4@proxy' });
    expect(wrong.id).toBe('proxy');
  });

  it('is suggested when the portal cannot be reached directly', async () => {
    const { connection } = await portalOf();
    const remote = { connection: { ...connection, apiBaseUrl: 'https://portal.invalid' } };
    expect((await examine(remote)).next).toContain('set HTTPS_PROXY');
  });
});
