import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { promisify, stripVTControlCharacters } from 'node:util';
import { createPortal, type Portal } from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { checkPrivateAddress } from '../../src/cli/lib/doctor/reportPage.ts';
import { runCli } from '../../src/cli/lib/runCli.ts';
import { portalEnv } from '../packages/harness/portalEnv.ts';
import { findCanary } from '../support/findCanary.ts';
import { listenOn } from '../support/listenOn.ts';
import { serveUntilEnd } from '../support/serveUntilEnd.ts';
import { closeServer, refusalOf, startStandInPortal } from '../support/standInPortal.ts';
import { startTlsPortal } from '../support/tlsPortal.ts';
import { runCommand, temporaryFolder } from './support/runCommand.ts';

let portal: Portal;
beforeAll(async () => {
  portal = await createPortal();
});
afterAll(() => portal.close());

const variables = (change: Record<string, string> = {}): Record<string, string> => {
  const tenant = portal.tenants.find(({ tenancyName }) => tenancyName === 'acme');
  if (tenant === undefined) throw new Error('the portal has no tenant "acme"');
  return { ...portalEnv(tenant), ...change };
};

const runWith = async (signal: AbortSignal, env: Record<string, string>, ...args: string[]) => {
  let text = '';
  const sink = () =>
    new Writable({
      write: (chunk, _encoding, done) => {
        text += String(chunk);
        done();
      },
    });
  const exitCode = await runCli(['doctor', ...args], {
    env,
    cwd: import.meta.dirname,
    stdin: Readable.from([]),
    stdout: sink(),
    stderr: sink(),
    signal,
  });
  // The secrets of the seeded tenants start with words that describe them; only their random end must not be shown.
  for (const secret of [env['VITRINE_API_KEY'], env['VITRINE_PASSPHRASE']])
    if (secret !== undefined) expect(findCanary(text, secret.split('.').at(-1) ?? '')).toBeUndefined();
  return { exitCode, text };
};

const run = (env: Record<string, string>, ...args: string[]) =>
  runWith(new AbortController().signal, env, ...args);

const checksOf = async (env: Record<string, string>, ...args: string[]) => {
  const { exitCode, text } = await run(env, '--json', ...args);
  const { ok, checks } = JSON.parse(text);
  expect(ok).toBe(exitCode === 0);
  for (const check of checks) if (check.status === 'failed') expect(check.next).toMatch(/\w/);
  return {
    exitCode,
    status: (id: string) => checks.find((check: { id: string }) => check.id === id)?.status,
    detail: (id: string) => checks.find((check: { id: string }) => check.id === id)?.detail,
    next: (id: string) => checks.find((check: { id: string }) => check.id === id)?.next,
    failed: checks.flatMap((check: { id: string; status: string }) =>
      check.status === 'failed' ? [check.id] : [],
    ),
  };
};

const withReport = ['--item', '1042', '--role', 'region-north', '--origin', 'https://app.acme.example'];

it('ends with status 1 and no verdict when it is stopped', async () => {
  const { exitCode, text } = await runWith(AbortSignal.abort(), variables());
  expect([exitCode, text]).toEqual([1, 'Stopped.\n']);
});

it('shows nothing more once it is stopped', async () => {
  const stop = new AbortController();
  const silent = createServer(() => stop.abort());
  onTestFinished(() => closeServer(silent));
  const env = variables({ VITRINE_API_BASE_URL: await listenOn(silent) });
  const { stdout } = await runCommand('doctor', { env, isTerminal: true, signal: stop.signal });
  expect(stripVTControlCharacters(stdout)).toMatch(/✓ Values .*\n$/);
});

describe('vitrine doctor', () => {
  it('reads variables from .env.local, otherwise from .env, when the environment has none', async () => {
    const cwd = temporaryFolder();
    const lines = (change: Record<string, string>) =>
      Object.entries(variables(change))
        .map(([name, value]) => `${name}=${value}\n`)
        .join('');
    writeFileSync(join(cwd, '.env'), lines({}));
    expect((await runCommand('doctor', { cwd })).stdout).toContain('all 6 are set, in .env\n');
    writeFileSync(join(cwd, '.env.local'), 'VITE_TITLE=Sales\n');
    expect((await runCommand('doctor', { cwd })).stdout).toContain('all 6 are set, in .env\n');
    writeFileSync(join(cwd, '.env.local'), lines({ VITRINE_PASSPHRASE: 'another-passphrase' }));
    const local = await runCommand('doctor', { cwd });
    expect(local.stdout).toContain('all 6 are set, in .env.local\n');
    expect(local.exitCode).toBe(1);
    const env = { VITRINE_TENANT_ID: '101' };
    expect((await runCommand('doctor', { cwd, env, columns: 200 })).stdout).toContain(
      'VITRINE_API_KEY, VITRINE_PASSPHRASE are not set',
    );
  });

  it('finds no problem in a correct setup, from the variables to the framed report', async () => {
    const { exitCode, text } = await run(variables(), ...withReport);
    expect(text).toMatch(/Everything works\.\n {2}vitrine \d+\.\d+\.\d+, Node \d+\.\d+\.\d+\n$/);
    expect(text).toContain('created for report 1042');
    // Whether the header arrives is not seen: a portal may not read it.
    expect(text).toContain('sent in Svc.TenantId, and not refused');
    expect(text).toMatch(/API key +used to create a key\n/);
    expect(exitCode).toBe(0);
  });

  it.each([
    ['', 'ok', /^found at /],
    ['/elsewhere', 'failed', /^no list of items at .*\/elsewhere\/v1\/items \(status 404\)$/],
    ['http://127.0.0.1:1', 'failed', /^no list of items at .* \(ECONNREFUSED\)$/],
    [undefined, 'skipped', /^needs VITRINE_BASE_URL/],
  ] as const)('reports for VITRINE_BASE_URL %j: %s', async (address, status, detail) => {
    const base = address?.startsWith('http') ? address : `${portal.url}${address}`;
    const env = variables(address === undefined ? {} : { VITRINE_BASE_URL: base });
    const checks = await checksOf(env, ...withReport);
    expect(checks.failed).toEqual(status === 'failed' ? ['administration'] : []);
    expect(checks.detail('administration')).toMatch(detail);
  });

  it('wraps at 40 columns', async () => {
    const { stdout } = await runCommand('doctor', { env: variables(), isTerminal: true, columns: 40 });
    const lines = stripVTControlCharacters(stdout).split('\n');
    expect(lines).toEqual(expect.arrayContaining(['  ✓ API key', '    not refused, unlike a wrong one']));
    expect(lines.filter(({ length }) => length > 40)).toEqual([]);
  });

  it('checks the secrets without creating a key when no report is given', async () => {
    const checks = await checksOf(variables());
    expect(checks.exitCode).toBe(0);
    expect([checks.status('passphrase'), checks.status('key')]).toEqual(['ok', 'skipped']);
    expect(checks.next('key')).toContain('--item');
    expect(checks.next('report_page')).toBe('Add --item with the number of a report, to open it.');
  });

  it.each([
    ['--item', 'abc', '--item is "abc". Use the ID of a report, such as 1042.'],
    ['--origin', 'app', '--origin is "app". Use an origin such as https://app.example.com.'],
  ])('rejects %s %s', async (option, value, message) => {
    expect(await run(variables(), option, value)).toEqual({ exitCode: 1, text: `${message}\n` });
  });

  it('says that a file of variables is not text', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'my.env'), Buffer.from([0x56, 0xff, 0xfe, 0]));
    const { exitCode, stderr } = await runCommand('doctor --env my.env', { cwd });
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/my\.env: it is not a text in UTF-8\. Use/),
    ]);
  });

  it('names the variable that a misspelled one stands for, also from a file', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'my.env'), 'VITRINE_APIKEY=Zq4711\nVITRINE_PASS_PHRASE=Zq4711\n');
    const { stdout } = await runCommand('doctor --env my.env', { cwd, columns: 2000 });
    expect(stdout).toContain('VITRINE_APIKEY is not read: rename it to VITRINE_API_KEY.');
    expect(stdout).toContain('VITRINE_PASS_PHRASE is not read: rename it to VITRINE_PASSPHRASE.');
    expect(stdout).not.toContain('4711');
  });

  it('warns of $ in a file of variables, which some apps replace', async () => {
    const cwd = temporaryFolder();
    const change = { VITRINE_API_KEY: 'a$b', VITRINE_PASSPHRASE: 'Blue$kyLine#42-long-enough-value' };
    const lines = Object.entries(variables(change)).map(([name, text]) => `${name}='${text}'\n`);
    writeFileSync(join(cwd, '.env.local'), lines.join(''));
    const { stdout } = await runCommand('doctor', { cwd, columns: 2000 });
    expect(stdout).toContain(
      '$ in VITRINE_API_KEY and VITRINE_PASSPHRASE: Vite and Next.js replace it in .env',
    );
    expect(stdout).not.toContain('kyLine');
    const set = await runCommand('doctor', { cwd, env: variables(change), columns: 2000 });
    expect(set.stdout).not.toContain('$ in');
  });

  it('lists every missing variable', async () => {
    const { exitCode, text } = await run({ VITRINE_TENANT_ID: '101' });
    expect(exitCode).toBe(1);
    expect(text).toContain('VITRINE_PASSPHRASE');
    expect(text).not.toContain('VITRINE_TENANT_ID,');
  });

  it.each([
    ['a tenant address with http', { VITRINE_TENANT_URL: 'http://acme.portal.example' }, 'values'],
    ['a placeholder for a key', { VITRINE_API_KEY: '<API_KEY>' }, 'values'],
    ['a wrong API key', { VITRINE_API_KEY: 'a-wrong-api-key-1234' }, 'api_key'],
    ['a wrong tenant ID', { VITRINE_TENANT_ID: '999' }, 'tenant_header'],
    ['the ID of another tenant', { VITRINE_TENANT_ID: '202' }, 'tenant_header'],
    ['a wrong API key and tenant ID', { VITRINE_API_KEY: 'wrong-1234', VITRINE_TENANT_ID: '999' }, 'api_key'],
    ['a wrong passphrase', { VITRINE_PASSPHRASE: 'Qx7-wrong-Pp2' }, 'passphrase'],
    ['a wrong tenancy name', { VITRINE_TENANCY_NAME: 'globex' }, 'tenancy_name'],
    ['an API address without a server', { VITRINE_API_BASE_URL: 'http://127.0.0.1:9' }, 'api'],
    ['a tenant address without a server', { VITRINE_TENANT_URL: 'http://acme.localhost:9' }, 'report_page'],
  ])('detects %s', async (_title, change, id) => {
    const checks = await checksOf(variables(change), ...withReport);
    expect(checks.failed).toEqual([id]);
    expect(checks.exitCode).toBe(1);
  });

  it('names the tenant ID if the administration API accepts the key', async () => {
    const checks = await checksOf(variables({ VITRINE_TENANT_ID: '999' }));
    expect(checks.next('tenant_header')).toBe(
      'The administration API accepts VITRINE_API_KEY. Compare VITRINE_TENANT_ID (now 999) with the ID of the tenant in the portal. If that is right, the key is of another tenant.',
    );
    expect(checks.status('api_key')).toBe('skipped');
  });

  it('names swapped tenants, whose key opens no report', async () => {
    const globex = portal.tenants.find(({ tenancyName }) => tenancyName === 'globex');
    const checks = await checksOf(variables({ VITRINE_TENANT_URL: globex?.tenantUrl ?? '' }), ...withReport);
    expect(checks.failed).toEqual(['report_page']);
    expect(checks.next('report_page')).toMatch(/VITRINE_TENANT_ID belong to the same tenant/);
  });

  it('detects an untrusted certificate before it sends a secret', async () => {
    const tls = await startTlsPortal('self-signed');
    const checks = await checksOf(variables({ VITRINE_API_BASE_URL: tls.url }), ...withReport);
    expect(checks.failed).toEqual(['tls']);
    expect(checks.next('tls')).toContain('NODE_EXTRA_CA_CERTS');
    expect(tls.calls()).toBe(0);
  });

  it('never reports success next to a warning', async () => {
    const standIn = await startStandInPortal();
    onTestFinished(() => standIn.close());
    standIn.answer = () => ({
      status: 404,
      headers: { date: new Date(Date.now() - 60_000).toUTCString() },
      body: refusalOf(404, 'No such item.'),
    });
    const { exitCode, text } = await run(variables({ VITRINE_API_BASE_URL: standIn.url }));
    expect(text).toContain('Nothing failed. What needs attention, or could not run, has advice above.');
    expect(exitCode).toBe(0);
  });

  it.skipIf(process.platform === 'win32').each([
    ['0 without a failure', {}, 0],
    ['1 after a failure', { VITRINE_PASSPHRASE: 'wrong' }, 1],
  ])('ends with %s when its output is closed early', async (_name, change, code) => {
    const bin = join(import.meta.dirname, '../../src/cli/lib/bin.ts');
    const line = `set -o pipefail; '${process.execPath}' --conditions=@vitrine/source '${bin}' doctor | head -1`;
    const ended = promisify(execFile)('bash', ['-c', line], {
      env: { ...process.env, ...variables(change) },
    });
    expect(
      await ended.then(
        () => 0,
        ({ code: failed }) => failed,
      ),
    ).toBe(code);
  });

  it('distinguishes a wrong passphrase from a wrong name', async () => {
    const phrase = await checksOf(variables({ VITRINE_PASSPHRASE: 'Qx7-wrong-Pp2' }));
    expect(phrase.next('passphrase')).toContain('VITRINE_PASSPHRASE');
    const name = await checksOf(variables({ VITRINE_TENANCY_NAME: 'globex' }));
    expect(name.next('tenancy_name')).toContain('VITRINE_TENANCY_NAME');
  });

  const afterApi = ['clock', 'tenant_header', 'api_key', 'permissions', 'passphrase', 'key'];
  it.each<[string, () => Record<string, string>, string]>([
    ['no variable is set', () => ({}), 'no connection to check'],
    [
      'nothing answers',
      () => variables({ VITRINE_API_BASE_URL: 'http://127.0.0.1:9' }),
      'not checked: the request failed earlier',
    ],
    [
      'the host is unknown',
      () => variables({ VITRINE_API_BASE_URL: 'https://portal.invalid' }),
      'not checked: the request failed earlier',
    ],
  ])('says why it did not check the rest when %s', async (_title, env, reason) => {
    const checks = await checksOf(env());
    expect(afterApi.map((id) => checks.detail(id))).toEqual(afterApi.map(() => reason));
  });

  it('says that the rest is not checked after the response of a gateway', async () => {
    const standIn = await startStandInPortal();
    onTestFinished(() => standIn.close());
    standIn.answer = () => ({ status: 502, headers: { 'content-type': 'text/html' }, body: '<html>' });
    const checks = await checksOf(variables({ VITRINE_API_BASE_URL: standIn.url }));
    expect(checks.detail('api_key')).toBe('not checked: the request failed earlier');
  });

  it('distinguishes hosts that are unknown from addresses without a certificate', async () => {
    const local = await checksOf(variables());
    expect(local.detail('tls')).toBe('no https address');
    const unknown = await checksOf(variables({ VITRINE_API_BASE_URL: 'https://portal.invalid' }));
    expect(unknown.detail('tls')).toBe('not checked: the request failed earlier');
  });

  it("shows the portal's message once, also if a field repeats it", async () => {
    const standIn = await startStandInPortal();
    onTestFinished(() => standIn.close());
    const message = 'The API key is unknown to the tenant of Svc.TenantId.';
    const validationErrors = [
      { message, members: ['Authorization'] },
      { message: 'Another.', members: ['userId'] },
    ];
    standIn.answer = () => ({
      status: 401,
      body: { success: false, result: null, error: { code: 401, message, validationErrors }, __abp: true },
    });
    const { text } = await run(variables({ VITRINE_API_BASE_URL: standIn.url }), '--json');
    expect(text.split('The API key is unknown').length).toBe(2);
    expect(text).toContain('userId: Another.');
  });

  it('detects a report that does not exist, and requires a role only for a report with row rules', async () => {
    const absent = await checksOf(variables(), '--item', '999999');
    expect(absent.failed).toEqual(['key']);
    const roleless = await checksOf(variables(), '--item', '1042');
    expect(roleless.failed).toEqual([]);
  });

  it('detects a proxy that drops the header with the dot, and suggests a workaround', async () => {
    const target = new URL(variables()['VITRINE_API_BASE_URL'] ?? '');
    const proxy = createServer((request, response) => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).flatMap(([name, value]) =>
          name.includes('.') ? [] : [[name === 'x-tenant' ? 'Svc.TenantId' : name, value]],
        ),
      );
      const forward = httpRequest(
        { host: target.hostname, port: target.port, method: request.method, path: request.url, headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        },
      );
      request.pipe(forward);
    });
    const VITRINE_API_BASE_URL = await listenOn(proxy);
    onTestFinished(() => closeServer(proxy));
    const dropped = await checksOf(variables({ VITRINE_API_BASE_URL }));
    expect(dropped.failed).toContain('tenant_header');
    expect(dropped.next('tenant_header')).toContain('VITRINE_TENANT_ID_HEADER');
    const renamed = await checksOf(variables({ VITRINE_API_BASE_URL, VITRINE_TENANT_ID_HEADER: 'X-Tenant' }));
    expect(renamed.failed).toEqual([]);
  });

  it('detects missing permissions and names the required ones', async () => {
    const standIn = await startStandInPortal();
    onTestFinished(() => standIn.close());
    standIn.answer = (call) =>
      call.headers['svc.tenantid'] === undefined
        ? { status: 401, body: refusalOf(401, 'Who?') }
        : { status: 403, body: refusalOf(403, 'Not allowed.') };
    const checks = await checksOf(variables({ VITRINE_API_BASE_URL: standIn.url }));
    expect(checks.failed).toEqual(['permissions']);
    expect(checks.next('permissions')).toContain('Administration.BiReports.Create');
  });

  it('detects a clock that is wrong', async () => {
    const standIn = await startStandInPortal();
    onTestFinished(() => standIn.close());
    const offsets: [number, string][] = [
      [0, 'ok'],
      [-60_000, 'warning'],
      [600_000, 'failed'],
    ];
    for (const [offsetMs, status] of offsets) {
      standIn.answer = () => ({
        status: 404,
        headers: { date: new Date(Date.now() + offsetMs).toUTCString() },
        body: refusalOf(404, 'No such item.'),
      });
      expect((await checksOf(variables({ VITRINE_API_BASE_URL: standIn.url }))).status('clock')).toBe(status);
    }
  });

  const framingOf = async (headers: OutgoingHttpHeaders, origin = 'https://app.acme.example') => {
    const url = await serveUntilEnd((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', ...headers }).end('<!doctype html>');
    });
    const env = variables({ VITRINE_TENANT_URL: url.replace('127.0.0.1', 'acme.localhost') });
    return (await checksOf(env, ...withReport.with(-1, origin))).status('framing');
  };

  it.each([
    [{ 'content-security-policy': "default-src 'self'; frame-ancestors 'none'" }, 'failed'],
    [{ 'content-security-policy': "frame-ancestors 'self'" }, 'failed'],
    [{ 'content-security-policy': 'frame-ancestors https://other.example' }, 'failed'],
    [{ 'content-security-policy': 'frame-ancestors https://other.example https://*.acme.example' }, 'ok'],
    [{ 'content-security-policy': 'frame-ancestors https:' }, 'ok'],
    [{ 'content-security-policy': 'frame-ancestors https://*.ACME.example:443' }, 'ok'],
    [{ 'content-security-policy': 'frame-ancestors https://*.acme.example:8443' }, 'failed'],
    [{ 'content-security-policy': 'frame-ancestors https://*.acme.example:*' }, 'ok'],
    [{ 'content-security-policy': 'frame-ancestors https://other.example:*' }, 'failed'],
    [{ 'content-security-policy': 'frame-ancestors *', 'x-frame-options': 'DENY' }, 'ok'],
    [{ 'content-security-policy': ['frame-ancestors *', "default-src *; frame-ancestors 'none'"] }, 'failed'],
    [{ 'content-security-policy': ['frame-ancestors *', "default-src 'self'"] }, 'ok'],
    [{ 'x-frame-options': 'SAMEORIGIN' }, 'failed'],
    [{ 'x-frame-options': 'deny' }, 'failed'],
    [{ 'x-frame-options': 'ALLOWALL' }, 'ok'],
    [{ 'x-frame-options': ['ALLOWALL', 'DENY'] }, 'failed'],
    [{}, 'ok'],
  ])('reports for the framing header %j: %s', async (headers, status) => {
    expect(await framingOf(headers as OutgoingHttpHeaders)).toBe(status);
  });

  it.each([
    ['https://*.acme.example:*', 'ok'],
    ['https://*.acme.example:8443', 'ok'],
    ['https://*.acme.example', 'failed'],
  ])('reports for an origin with a port and frame-ancestors %s: %s', async (source, status) => {
    const headers = { 'content-security-policy': `frame-ancestors ${source}` };
    expect(await framingOf(headers, 'https://app.acme.example:8443')).toBe(status);
  });

  it('shows no secret that the page repeats in its headers', async () => {
    const env = variables();
    let key = '';
    const page = createServer(({ url = '' }, response) => {
      key = new URL(url, 'http://page.test').searchParams.get('ev') ?? '';
      const sources = [key, encodeURIComponent(key), env['VITRINE_API_KEY'], env['VITRINE_PASSPHRASE']];
      response.writeHead(200, {
        'content-type': 'text/html',
        'content-security-policy': `frame-ancestors ${sources.join(' ')}`,
        'set-cookie': `${encodeURIComponent(key)}=1`,
      });
      response.end('<!doctype html>');
    });
    const { port } = new URL(await listenOn(page));
    onTestFinished(() => closeServer(page));
    const tenantUrl = `http://acme.localhost:${port}`;
    // It also looks for the API key and the passphrase.
    const { text } = await run({ ...env, VITRINE_TENANT_URL: tenantUrl }, '--json', ...withReport);
    expect(text).toContain('frame-ancestors does not list');
    expect(key).not.toBe('');
    for (const form of [key, encodeURIComponent(key)]) expect(text.includes(form)).toBe(false);
  });

  it.each([
    [[], 'ok', /sets none/],
    [['a=1; SameSite=None; Secure; Partitioned; Path=/'], 'ok', /sent in a frame/],
    [
      ['a=1; expires=Fri, 27 Nov 2026 10:00:00 GMT; samesite=none; SECURE; partitioned'],
      'ok',
      /sent in a frame/,
    ],
    [['a=1; SameSite=None; Secure'], 'warning', /sets a without Partitioned$/],
    [
      ['a=1; SameSite=None; Secure; Partitioned', 'session=2; SameSite=Lax'],
      'warning',
      /sets session without SameSite=None, Secure, Partitioned$/,
    ],
  ] as const)('reports for the cookies %j: %s', async (cookies, status, detail) => {
    const page = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': [...cookies] });
      response.end('<!doctype html>');
    });
    const { port } = new URL(await listenOn(page));
    onTestFinished(() => closeServer(page));
    const env = variables({ VITRINE_TENANT_URL: `http://acme.localhost:${port}` });
    const checks = await checksOf(env, ...withReport);
    expect([checks.status('cookies'), checks.detail('cookies')]).toEqual([
      status,
      expect.stringMatching(detail),
    ]);
  });

  it.each([
    ['https://10.1.2.3', 'https://93.184.216.34', 'failed'],
    ['https://[fd00::1]', 'https://93.184.216.34', 'failed'],
    ['https://10.1.2.3', 'https://192.168.0.7', 'ok'],
    ['https://10.1.2.3', 'http://localhost:3000', 'ok'],
    ['https://93.184.216.34', 'https://93.184.216.34', 'ok'],
    ['http://127.0.0.1:4460', 'https://93.184.216.34', 'warning'],
    ['http://acme.localhost:4460', 'https://93.184.216.34', 'warning'],
    ['http://acme.localhost:4460', 'http://[::1]:3000', 'ok'],
    ['https://10.1.2.3', 'https://host.invalid', 'skipped'],
    ['https://host.invalid', 'https://93.184.216.34', 'skipped'],
    ['https://10.1.2.3', undefined, 'skipped'],
  ])('reports for report pages at %s in an application at %s: %s', async (tenantUrl, origin, status) => {
    const { status: seen, next } = await checkPrivateAddress(tenantUrl, origin);
    expect(seen).toBe(status);
    if (/failed|warning/.test(status)) expect(next).toContain('public address');
  });

  it.each(['host.example', 'x', 'file:///a'])('rejects the --origin %s', async (origin) => {
    const { exitCode, text } = await run(variables(), '--origin', origin);
    expect(exitCode).toBe(1);
    expect(text).toContain('origin such as https://app.example.com');
  });

  it('rejects an --item that is not a number', async () => {
    const { exitCode, text } = await run(variables(), '--item', 'sales');
    expect(exitCode).toBe(1);
    expect(text).toContain('ID of a report');
  });
});
