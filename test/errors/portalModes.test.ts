import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createPortal, type Portal } from '@vitrine/portal';
import { createFetchHandler, type UpstreamOptions } from '@vitrine/server';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runDoctor } from '../../src/cli/lib/doctor/runDoctor.ts';
import { portalEnv } from '../packages/harness/portalEnv.ts';
import { findCanary } from '../support/findCanary.ts';
import { keyRequest, viewerByHeader } from '../support/keyRequest.ts';
import { listenOn } from '../support/listenOn.ts';
import { recordLog } from '../support/recordLog.ts';
import {
  connectionTo,
  envelopeOf,
  knownItems,
  type ReceivedCall,
  refusalOf,
  respondToCall,
  type StandInAnswer,
  type StandInPortal,
  startStandInPortal,
} from '../support/standInPortal.ts';
import { startTlsPortal, trust } from '../support/tlsPortal.ts';

/** The connection of a host to a test portal. */
type Connection = ReturnType<typeof connectionTo>;

/** A portal in one of the modes, with real sockets. */
interface RunningMode {
  readonly connection: Connection;
  /** Options of the host that shorten what would take seconds. */
  readonly upstream: UpstreamOptions;
  /** The report to request. */
  readonly itemId: number;
  close(): Promise<void>;
}

/** A behavior of a portal, or of the network in front of it. */
interface PortalMode {
  /** A short description: the title of its test. */
  readonly name: string;
  readonly start: () => Promise<RunningMode>;
}

const runningAt = (
  url: string,
  close: () => Promise<void>,
  change: Partial<RunningMode> = {},
): RunningMode => ({
  connection: { ...connectionTo(url), tenantUrl: url.replace('127.0.0.1', 'acme.localhost') },
  upstream: { retry: false },
  itemId: knownItems.open,
  close,
  ...change,
});

/** A mode in which the portal answers POST in its own way, and serves its pages as usual. */
const answering = (
  name: string,
  answer: StandInPortal['answer'],
  upstream: UpstreamOptions = {},
): PortalMode => ({
  name,
  start: async () => {
    const portal = await startStandInPortal();
    portal.answer = (call, response) =>
      call.method === 'POST' ? answer(call, response) : respondToCall(call);
    return runningAt(portal.url, () => portal.close(), { upstream: { retry: false, ...upstream } });
  },
});

/** A mode in which the portal works and the host is misconfigured. */
const configured = (
  name: string,
  change: Partial<Omit<Connection, 'apiBaseUrl'>>,
  itemId = knownItems.open,
): PortalMode => ({
  name,
  start: async () => {
    const portal = await startStandInPortal();
    portal.answer = respondToCall;
    const running = runningAt(portal.url, () => portal.close(), { itemId });
    return { ...running, connection: { ...running.connection, ...change } };
  },
});

/** A mode in which no connection is possible. */
const unreachable = (
  name: string,
  move: (portal: StandInPortal) => Promise<string> | string,
): PortalMode => ({
  name,
  start: async () => {
    const portal = await startStandInPortal();
    return runningAt(await move(portal), () => portal.close());
  },
});

/** A mode with a server that answers every connection with the same bytes. */
const speaking = (
  name: string,
  bytes: string,
  { scheme = 'http', isOpen = false, ...upstream }: { scheme?: string; isOpen?: boolean } & UpstreamOptions,
): PortalMode => ({
  name,
  start: async () => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('data', () => (isOpen ? socket.write(bytes) : socket.end(bytes)));
    });
    const url = (await listenOn(server)).replace('http', scheme);
    const close = () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      });
    return runningAt(url, close, { upstream: { retry: false, ...upstream } });
  },
});

const overTls = (
  name: string,
  certificate: 'portal' | 'self-signed',
  { address, isTrusted = false }: { readonly address: 'url' | 'addressUrl'; readonly isTrusted?: boolean },
): PortalMode => ({
  name,
  start: async () => {
    const portal = await startTlsPortal(certificate);
    if (isTrusted) trust('authority');
    const running = runningAt(portal[address], () => portal.close(), { upstream: { retry: false } });
    return { ...running, connection: { ...running.connection, tenantUrl: portal[address] } };
  },
});

const html = (status: number, title: string, headers: Record<string, string> = {}): StandInAnswer => ({
  status,
  headers: { 'content-type': 'text/html', ...headers },
  body: `<!doctype html><title>${title}</title>`,
});

/** A mode in which the portal rejects every valid call with its own message. */
const refusing = (name: string, status: number, message: string): PortalMode =>
  answering(name, (call) => {
    const response = respondToCall(call);
    return response.status === undefined ? { status, body: refusalOf(status, message) } : response;
  });

/** A mode in which one value is wrong, and the portal reports this in its own words. */
const insisting = (
  name: string,
  wrong: 'passPhrase' | 'tenancyName',
  ...[status, message]: [status: number, message: string]
): PortalMode =>
  answering(name, (call) => {
    const response = respondToCall({
      ...call,
      body: JSON.stringify({ ...JSON.parse(call.body), [wrong]: 'another' }),
    });
    return response.status === 500 ? { status, body: refusalOf(status, message) } : response;
  });

const packed = (call: ReceivedCall): StandInAnswer => {
  const { body, ...answer } = respondToCall(call);
  return { ...answer, headers: { 'content-encoding': 'gzip' }, body: gzipSync(JSON.stringify(body)) };
};

/** The portal's envelope for a field that it rejects. */
const invalidField = (field: string, message: string): object => ({
  ...refusalOf(400, 'Your request is not valid.'),
  error: {
    code: 400,
    message: 'Your request is not valid.',
    details: null,
    validationErrors: [{ message, members: [field] }],
  },
});

/** Every mode, with the check of vitrine doctor that fails first, and its advice. `-u` writes the page of the modes. */
const modes: readonly (readonly [mode: PortalMode, check: string | undefined, advice: RegExp])[] = [
  [configured('works', {}), undefined, /^$/],
  [
    configured('unknown API key', { apiKey: 'mode-api-key-that-is-wrong' }),
    'api_key',
    /^Check VITRINE_API_KEY/,
  ],
  [
    answering('API key lacks the permissions', () => ({
      status: 403,
      body: refusalOf(403, 'A required permission is missing.'),
    })),
    'permissions',
    /Administration\.BiReports\.Create/,
  ],
  [
    configured('passphrase is wrong', { passPhrase: 'mode-pass-phrase-wrong' }),
    'passphrase',
    /^Copy the passphrase/,
  ],
  [
    answering('passphrase is wrong, with status 200', (call) => ({
      ...respondToCall({
        ...call,
        body: call.body.replace(connectionTo('').passPhrase, 'another-pass-phrase'),
      }),
      status: 200,
    })),
    'passphrase',
    /^Copy the passphrase/,
  ],
  [
    insisting('passphrase is wrong, with status 403', 'passPhrase', 403, 'Invalid passphrase'),
    'passphrase',
    /^Copy the passphrase/,
  ],
  [
    configured('tenancy name is wrong', { tenancyName: 'globex' }),
    'passphrase',
    /^Compare VITRINE_TENANCY_NAME \(now "globex"\)/,
  ],
  [
    insisting(
      'tenancy name is wrong, with status 404',
      'tenancyName',
      404,
      'There is no such an entity. Entity type: Tenant, id: globex',
    ),
    'passphrase',
    /^Compare VITRINE_TENANCY_NAME/,
  ],
  [configured('tenant ID is wrong', { tenantId: 102 }), 'api_key', /tenant of VITRINE_TENANT_ID \(now 102\)/],
  [
    answering(
      'a proxy drops the header with a dot',
      ({ headers: { 'svc.tenantid': _, ...headers }, ...call }) => respondToCall({ ...call, headers }),
    ),
    'tenant_header',
    /with a dot in a name/,
  ],
  [
    configured('no report with this ID', {}, knownItems.absent),
    'key',
    /^Check --item \(now 9999\): the tenant has no such report/,
  ],
  [
    configured('report is not shared with the user', {}, knownItems.notShared),
    'key',
    /^Share the report.*\(now 1050\)/,
  ],
  [
    refusing('user is locked', 403, 'User north.manager@acme.example is locked'),
    'key',
    /user exists and is active: compare --user \(now ".+"\)/,
  ],
  [
    refusing('user is unknown, with status 404', 404, 'User north.manager@acme.example was not found'),
    'key',
    /user exists and is active: compare --user \(now ".+"\)/,
  ],
  [
    refusing(
      'role is unknown, with status 404',
      404,
      'There is no such an entity. Entity type: Role, id: north',
    ),
    'key',
    /^Compare --role.*may require one/,
  ],
  [
    refusing('IP address is not allowed', 403, 'Your IP address 10.1.2.3 is not allowed'),
    'api',
    /^Ask the operator of the portal to allow the IP address/,
  ],
  [
    refusing('tenant is not active', 403, 'Tenant acme is not active'),
    'key',
    /^Contact the portal's operator/,
  ],
  [
    refusing('license has expired', 500, 'The license of this tenant has expired'),
    'key',
    /^Contact the portal's operator/,
  ],
  [
    refusing('API key has expired', 401, 'The API key has expired'),
    'api_key',
    /^Check VITRINE_API_KEY.*If it has expired, create a new one/,
  ],
  [
    answering('role or user is not accepted', () => ({
      status: 400,
      body: refusalOf(400, 'The effective identity is not valid.'),
    })),
    'key',
    /--role/,
  ],
  [
    answering('role is not accepted, named by its field', () => ({
      status: 400,
      body: invalidField('value.roleNames', 'The value is not valid.'),
    })),
    'key',
    /--role/,
  ],
  [
    answering('expiry of the key is too far ahead', () => ({
      status: 400,
      body: refusalOf(400, 'Expiration too far.'),
    })),
    'key',
    /Shorten keyLifetime.*45 minutes/,
  ],
  [
    answering('the portal gives no reason', () => ({
      status: 500,
      body: refusalOf(0, 'An error occurred.'),
    })),
    'passphrase',
    /^Compare VITRINE_TENANCY_NAME.*with a dot in a name/,
  ],
  [
    answering(
      'a proxy drops the header with a dot, and the portal fails',
      ({ headers: { 'svc.tenantid': _, ...headers }, ...call }) => ({
        ...respondToCall({ ...call, headers }),
        status: 500,
        body: refusalOf(0, 'An internal error occurred.'),
      }),
    ),
    'passphrase',
    /^Compare VITRINE_TENANCY_NAME.*passphrase.*may not receive the header Svc\.TenantId.*with a dot in a name/,
  ],
  [
    answering('an error of an unknown shape', () => ({
      status: 500,
      body: { fault: { faultstring: 'Policy failed', detail: { errorcode: 'steps.Raise' } } },
    })),
    'api',
    /^The portal failed.*with a dot in a name/,
  ],
  [
    answering('401 and an empty body', () => ({ status: 401, body: '' })),
    'api_key',
    /^Check VITRINE_API_KEY.*gateway/,
  ],
  [
    answering('403 and an empty body', () => ({ status: 403, body: '' })),
    'permissions',
    /^The API key needs the permissions.*firewall/,
  ],
  [
    answering('wrong address: 404 and HTML', () => html(404, 'Not found')),
    'api',
    /VITRINE_API_BASE_URL.*not the portal API/,
  ],
  [
    refusing('wrong address: 404 and an envelope', 404, 'There is no such endpoint'),
    'api',
    /VITRINE_API_BASE_URL.*not the portal API/,
  ],
  [
    refusing(
      'wrong address: 404 that repeats the path',
      404,
      "No HTTP resource was found that matches the request URI 'https://api.example/v2/api/services/app/ItemLinks/CreateEncryptedKey'",
    ),
    'api',
    /VITRINE_API_BASE_URL.*not the portal API/,
  ],
  [
    answering('wrong address: a login page with 200', () => html(200, 'Sign in')),
    'api',
    /^The response is a web page/,
  ],
  [
    answering('wrong address: a redirect', () => ({
      status: 302,
      headers: { location: 'https://login.example/?next=/' },
      body: '',
    })),
    'api',
    /redirects are not followed/,
  ],
  [
    answering('a redirect to the sign-in page of the portal', () => ({
      status: 302,
      headers: { location: '/Account/Login?ReturnUrl=%2Fapi' },
      body: '',
    })),
    'api',
    /^The portal requires a sign-in.*API key/,
  ],
  [
    answering('407 without a proxy', () => html(407, 'Proxy authentication required')),
    'proxy',
    /^Ask the operator of your network.*HTTPS_PROXY/,
  ],
  [
    answering('a gateway requires a sign-in: 401 and HTML', () => html(401, 'Unauthorized')),
    'api',
    /^A gateway in front of the portal requires a sign-in/,
  ],
  [answering('a firewall blocks: 403 and HTML', () => html(403, 'Blocked')), 'api', /^A firewall or gateway/],
  [
    answering('too many requests, wait 7 s', () => ({
      status: 429,
      headers: { 'retry-after': '7' },
      body: '',
    })),
    'api',
    /limits requests\. Wait 7 s/,
  ],
  [
    answering('too many requests', () => ({ status: 429, body: '' })),
    'api',
    /limits requests\. Wait a minute/,
  ],
  [
    answering('too many requests, wait a day', () => ({
      status: 429,
      headers: { 'retry-after': '86400' },
      body: '',
    })),
    'api',
    /limits requests\. Wait 24 hours/,
  ],
  [answering('500 and HTML', () => html(500, 'Server error')), 'api', /^The portal failed/],
  [
    answering('502 from a gateway', () => html(502, 'Bad gateway')),
    'api',
    /cannot reach the portal behind it/,
  ],
  [
    answering('503 and Retry-After', () => html(503, 'Maintenance', { 'retry-after': '30' })),
    'api',
    /Try again in 30 s/,
  ],
  [answering('501', () => html(501, 'Not implemented')), 'api', /cannot create keys/],
  [answering('504 from a gateway', () => html(504, 'Gateway timeout')), 'api', /too slow/],
  [
    answering('511: the network requires a sign-in', () => html(511, 'Network authentication required')),
    'api',
    /network of this machine requires a sign-in/,
  ],
  [
    answering('http instead of https: 400 and HTML', () =>
      html(400, 'The plain HTTP request was sent to HTTPS port'),
    ),
    'api',
    /https:\/\/ if that port uses TLS/,
  ],
  [answering('an empty response with 200', () => ({ body: '' })), 'api', /VITRINE_API_BASE_URL/],
  [
    answering('an envelope without a key', () => ({ body: { ...envelopeOf(''), result: {} } })),
    'api',
    /no usable key/,
  ],
  [
    answering('a key with invalid characters', () => ({ body: envelopeOf('<key>"\n') })),
    'api',
    /no usable key/,
  ],
  [
    answering('a response of 10 MB', () => ({ body: 'x'.repeat(10 * 2 ** 20) })),
    'api',
    /far more than a key/,
  ],
  [
    answering('headers of more than 16 KB', (call) => ({
      ...respondToCall(call),
      headers: { 'set-cookie': 'x'.repeat(17 * 1024) },
    })),
    'api',
    /larger than 16 KB.*such as cookies/,
  ],
  [
    answering('works, with headers of 15 KB', (call) => ({
      ...respondToCall(call),
      headers: { 'set-cookie': 'x'.repeat(15 * 1024) },
    })),
    undefined,
    /^$/,
  ],
  [
    answering('works, with a byte order mark', (call) => {
      const { body, ...answer } = respondToCall(call);
      return { ...answer, body: `\uFEFF${JSON.stringify(body)}` };
    }),
    undefined,
    /^$/,
  ],
  [answering('works, compressed', packed), undefined, /^$/],
  [
    answering('works, with a clock ten minutes ahead', (call) => ({
      ...respondToCall(call),
      headers: { date: new Date(Date.now() + 600_000).toUTCString() },
    })),
    'clock',
    /Synchronize the clock/,
  ],
  [
    answering('does not respond', () => undefined, { totalTimeoutMs: 400 }),
    'api',
    /firewalls allow this machine to connect to VITRINE_API_BASE_URL\./,
  ],
  [
    answering('resets the connection', (_call, { socket }) => void socket?.resetAndDestroy()),
    'api',
    /closed the connection/,
  ],
  [
    answering('closes the connection during the response', (_call, { socket }) => {
      socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n{"res');
      return undefined;
    }),
    'api',
    /closed the connection/,
  ],
  [
    speaking('stops during the response', 'HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n{"res', {
      isOpen: true,
      totalTimeoutMs: 400,
    }),
    'api',
    /^The portal begins a response and does not finish it/,
  ],
  [speaking('does not use HTTP', '220 mail.example ESMTP\r\n', {}), 'http', /is not using HTTP/],
  [
    speaking('closes the connection during the TLS handshake', '', { scheme: 'https' }),
    'api',
    /closed the connection/,
  ],
  [
    unreachable('nothing listens there', async (portal) => {
      await portal.close();
      return portal.url;
    }),
    'api',
    /^Nothing listens at/,
  ],
  [unreachable('host name does not exist', () => 'https://portal.invalid'), 'dns', /spelling/],
  [unreachable('https instead of http', ({ url }) => url.replace('http:', 'https:')), 'tls', /not using TLS/],
  [
    {
      name: 'http instead of https',
      start: async () => {
        const portal = await startTlsPortal('portal');
        return runningAt(portal.addressUrl.replace('https:', 'http:'), () => portal.close());
      },
    },
    'api',
    /uses TLS, use https:\/\//,
  ],
  [overTls('certificate is self-signed', 'self-signed', { address: 'url' }), 'tls', /NODE_EXTRA_CA_CERTS/],
  [
    overTls('certificate of an unknown authority', 'portal', { address: 'url' }),
    'tls',
    /NODE_EXTRA_CA_CERTS/,
  ],
  [
    overTls('certificate of another host', 'portal', {
      address: 'addressUrl',
      isTrusted: true,
    }),
    'tls',
    /do not turn verification off/i,
  ],
];

/** What a host's browser and log get: a row of `docs/portal-modes.md`. */
const observe = async ({ connection, upstream, itemId }: RunningMode) => {
  const logger = recordLog();
  const handler = createFetchHandler({
    portal: connection,
    viewer: viewerByHeader,
    canView: () => true,
    rateLimit: { points: 10, durationSeconds: 60 },
    upstream,
    logger,
  });
  onTestFinished(() => handler.close());
  const response = await handler(keyRequest(itemId));
  const { code } = (await response.json()) as { code?: string }; // a problem document, or a key
  const line = logger.lines.find(({ level }) => level !== 'debug');
  const { problem = line?.message ?? '', hint = '' } = line?.fields ?? {};
  return {
    answer: code === undefined ? String(response.status) : `${response.status} \`${code}\``,
    log: String(problem),
    hint: String(hint),
  };
};

/** A cell of the page. Ports and times differ between runs, and some rows only in a time. */
const cell = (text: string): string =>
  text
    .replace(/The portal (refused to create a key|responded with)|The connection to the portal failed/, '…')
    .replace(/(usable key): .*/, '$1: …')
    .replace(/(127\.0\.0\.1|localhost):\d+/g, '$1:port')
    .replace(/\d{3} seconds/g, 'about 600 seconds')
    .replace(/Wait [^;]+;/, 'Wait as long as its Retry-After says, or a minute;')
    .replaceAll('|', '\\|') || '–';

describe('the log of a host and vitrine doctor say what is wrong with the portal or the network', () => {
  const rows: { readonly answer: string; readonly log: string; readonly hint: string }[] = [];

  it.each(modes.map((mode) => [mode[0].name, ...mode] as const))('%s', async (_name, mode, check, advice) => {
    const running = await mode.start();
    onTestFinished(() => running.close());
    rows.push(await observe(running));

    const options = {
      userId: 'north.manager@acme.example',
      roleNames: [],
      origin: undefined,
      timeoutMs: 1000,
      signal: new AbortController().signal,
    };
    const lines = [];
    for await (const line of runDoctor({
      ...options,
      itemId: running.itemId,
      env: portalEnv(running.connection),
    }))
      lines.push(line);
    const { apiKey, passPhrase } = running.connection;
    expect(findCanary(JSON.stringify(lines), apiKey, passPhrase)).toBeUndefined();
    const first = lines.find(({ status, next }) => status !== 'ok' && next !== undefined);
    expect([first?.id, first?.next ?? '']).toEqual([check, expect.stringMatching(advice)]);
    // The header with the dot is named only when it is, or may be, the cause.
    if (check !== 'tenant_header' && !advice.source.includes('dot'))
      expect(first?.next ?? '').not.toMatch(/\bdot\b/);
  });

  it('has its row in docs/portal-modes.md, which modes with the same result share', async () => {
    const failures = rows.filter(({ log }) => log !== '');
    const sections = [...Map.groupBy(failures, ({ answer }) => answer)].map(([answer, section]) => {
      const lines = [...Map.groupBy(section, ({ hint }) => cell(hint))].map(
        ([hint, modes]) => `| ${[...new Set(modes.map(({ log }) => cell(log)))].join('<br>')} | ${hint} |`,
      );
      return `## ${answer}\n\n| Your log | Hint |\n|---|---|\n${lines.join('\n')}\n`;
    });
    await expect(`# Portal modes

When the portal, or the network in front of it, misbehaves, the browser gets one of the headings below, and your log has a line of the
table. Search for the words after \`The portal refused to create a key\`, \`The portal responded with\` or
\`The connection to the portal failed\`, which \`…\` replaces. \`vitrine doctor --item\` gives the same advice, with the names of variables.
[Errors](errors.md) says what users see.

A test starts each mode behind real sockets and writes this page.

${sections.join('\n')}`).toMatchFileSnapshot('../../docs/portal-modes.md');
  });
});

describe('the development portal', () => {
  let portal: Portal;
  beforeAll(async () => {
    portal = await createPortal();
  });
  afterAll(() => portal.close());

  /** What a host gets with one wrong value. */
  const observeWith = ({ itemId = 1042, ...change }: Partial<Connection> & { itemId?: number }) => {
    const [tenant] = portal.tenants;
    if (tenant === undefined) throw new Error('The portal has no tenant.');
    const { tenantUrl, apiBaseUrl, tenantId, tenancyName, apiKey, passPhrase } = tenant;
    const connection = { tenantUrl, apiBaseUrl, tenantId, tenancyName, apiKey, passPhrase, ...change };
    return observe({ connection, itemId, upstream: { retry: false }, close: async () => {} });
  };

  it.each([
    ['API key', { apiKey: 'not-a-key-of-this-portal' }, /^Check apiKey/],
    ['tenant ID', { tenantId: 99 }, /^Check apiKey .* tenant of tenantId/],
    ['passphrase', { passPhrase: 'Xq82-Lw0x-Zn47' }, /^Copy the passphrase/],
    ['tenancy name', { tenancyName: 'elsewhere' }, /^Compare tenancyName/],
    ['item ID', { itemId: 9999 }, /^Check the item ID/],
  ])('makes the log say what to correct for a wrong %s', async (_what, change, hint) => {
    expect((await observeWith(change)).hint).toMatch(hint);
  });

  it('control: the right values need no advice', async () => {
    expect(await observeWith({})).toMatchObject({ answer: '200', hint: '' });
  });
});
