import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { UpstreamOptions } from '@vitrine/server';
import { type Fault, startFaultProxy } from './faultProxy.ts';
import { listenOn } from './listenOn.ts';
import {
  envelopeOf,
  type ReceivedCall,
  refusalOf,
  type StandInAnswer,
  type StandInPortal,
  startStandInPortal,
} from './standInPortal.ts';
import { certificatePath, startTlsPortal } from './tlsPortal.ts';

/** The connection of a host to a test portal, as plain strings. */
export interface ModeConnection {
  readonly tenantUrl: string;
  readonly apiBaseUrl: string;
  readonly tenantId: number;
  readonly tenancyName: string;
  readonly apiKey: string;
  readonly passPhrase: string;
}

/** A portal in one of the modes, with real sockets. */
export interface RunningMode {
  readonly connection: ModeConnection;
  /** Options of the host that shorten what would take seconds. */
  readonly upstream: UpstreamOptions;
  /** The report to request. */
  readonly itemId: number;
  close(): Promise<void>;
}

/** A behavior of a portal, or of the network in front of it. */
export interface PortalMode {
  /** A short description: the first column of `docs/portal-modes.md`. */
  readonly name: string;
  readonly start: () => Promise<RunningMode>;
}

/** The values that the stand-in accepts. */
const accepted = {
  apiKey: 'mode-api-key-Zq83nVb2Lw0x',
  passPhrase: 'mode-pass-phrase-Km47tR9',
  tenantId: 101,
  tenancyName: 'acme',
};
const known = { open: 1042, notShared: 1050, absent: 9999 };

const valueOf = (body: string): { itemId: unknown; passPhrase: unknown; tenancyName: unknown } => {
  const { value, passPhrase, tenancyName } = JSON.parse(body);
  return { itemId: value?.reportId, passPhrase, tenancyName };
};

/** Validates a call by docs/interface.md#4.6, without our own code. */
export const respondToCall = (call: ReceivedCall): StandInAnswer => {
  if (call.method !== 'POST')
    return { headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Report</title>' };
  const refuse = (status: number, code: number, message: string): StandInAnswer => ({
    status,
    body: refusalOf(code, message),
  });
  const tenantId = call.headers['svc.tenantid'];
  if (tenantId === undefined) return refuse(400, 400, 'The header Svc.TenantId is missing.');
  if (tenantId !== String(accepted.tenantId) || call.headers.authorization !== `ApiKey ${accepted.apiKey}`)
    return refuse(401, 401, 'The API key is not one of this tenant.');
  const { itemId, passPhrase, tenancyName } = valueOf(call.body);
  if (tenancyName !== accepted.tenancyName) return refuse(500, 0, 'There is no tenancy of this name.');
  if (passPhrase !== accepted.passPhrase) return refuse(500, 0, 'The passphrase is wrong.');
  if (itemId === known.notShared) return refuse(500, 0, 'The report is not shared with this user.');
  if (itemId !== known.open) return refuse(404, 404, 'There is no such item.');
  return { body: envelopeOf('mode-key') };
};

const runningAt = (
  url: string,
  close: () => Promise<void>,
  change: Partial<RunningMode> = {},
): RunningMode => ({
  connection: { ...accepted, tenantUrl: url.replace('127.0.0.1', 'acme.localhost'), apiBaseUrl: url },
  upstream: { retry: false },
  itemId: known.open,
  close,
  ...change,
});

/** A mode in which the portal answers POST in its own way, and serves its pages as usual. */
const answering = (
  name: string,
  answer: (call: ReceivedCall) => StandInAnswer | Promise<StandInAnswer>,
): PortalMode => ({
  name,
  start: async () => {
    const portal = await startStandInPortal();
    portal.answer = (call) => (call.method === 'POST' ? answer(call) : respondToCall(call));
    return runningAt(portal.url, () => portal.close());
  },
});

/** A mode in which the portal works and the host is misconfigured. */
const configured = (
  name: string,
  change: Partial<Omit<ModeConnection, 'apiBaseUrl'>>,
  itemId = known.open,
): PortalMode => ({
  name,
  start: async () => {
    const portal = await startStandInPortal();
    portal.answer = respondToCall;
    const running = runningAt(portal.url, () => portal.close(), { itemId });
    return { ...running, connection: { ...running.connection, ...change } };
  },
});

/** A mode in which the network fails. */
const breaking = (name: string, fault: Fault, upstream: UpstreamOptions = {}): PortalMode => ({
  name,
  start: async () => {
    const portal = await startStandInPortal();
    portal.answer = respondToCall;
    const proxy = await startFaultProxy(portal.url);
    proxy.fault = fault;
    const close = async () => {
      await proxy.close();
      await portal.close();
    };
    return runningAt(proxy.url, close, { upstream: { retry: false, ...upstream } });
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
  { address, ...upstream }: { readonly address: 'url' | 'addressUrl' } & UpstreamOptions,
): PortalMode => ({
  name,
  start: async () => {
    const portal = await startTlsPortal(certificate);
    const running = runningAt(portal[address], () => portal.close(), {
      upstream: { retry: false, ...upstream },
    });
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

/** Every mode. A new one needs a row here; `npx vitest run portalModes -u` writes the page. */
export const portalModes: readonly PortalMode[] = [
  configured('works', {}),
  configured('unknown API key', { apiKey: 'mode-api-key-that-is-wrong' }),
  answering('API key lacks the permissions', () => ({
    status: 403,
    body: refusalOf(403, 'A required permission is missing.'),
  })),
  configured('passphrase is wrong', { passPhrase: 'mode-pass-phrase-wrong' }),
  answering('passphrase is wrong, with status 200', (call) => ({
    ...respondToCall({ ...call, body: call.body.replace(accepted.passPhrase, 'another-pass-phrase') }),
    status: 200,
  })),
  insisting('passphrase is wrong, with status 403', 'passPhrase', 403, 'Invalid passphrase'),
  configured('tenancy name is wrong', { tenancyName: 'globex' }),
  insisting(
    'tenancy name is wrong, with status 404',
    'tenancyName',
    404,
    'There is no such an entity. Entity type: Tenant, id: globex',
  ),
  configured('tenant ID is wrong', { tenantId: 102 }),
  answering(
    'a proxy drops the header with a dot',
    ({ headers: { 'svc.tenantid': _, ...headers }, ...call }) => respondToCall({ ...call, headers }),
  ),
  configured('no report with this ID', {}, known.absent),
  configured('report is not shared with the user', {}, known.notShared),
  refusing('user is locked', 403, 'User north.manager@acme.example is locked'),
  refusing('user is unknown, with status 404', 404, 'User north.manager@acme.example was not found'),
  refusing(
    'role is unknown, with status 404',
    404,
    'There is no such an entity. Entity type: Role, id: north',
  ),
  refusing('IP address is not allowed', 403, 'Your IP address 10.1.2.3 is not allowed'),
  refusing('tenant is not active', 403, 'Tenant acme is not active'),
  refusing('license has expired', 500, 'The license of this tenant has expired'),
  refusing('API key has expired', 401, 'The API key has expired'),
  answering('role or user is not accepted', () => ({
    status: 400,
    body: refusalOf(400, 'The effective identity is not valid.'),
  })),
  answering('role is not accepted, named by its field', () => ({
    status: 400,
    body: invalidField('value.roleNames', 'The value is not valid.'),
  })),
  answering('expiry of the key is too far ahead', () => ({
    status: 400,
    body: refusalOf(400, 'Expiration too far.'),
  })),
  answering('the portal gives no reason', () => ({
    status: 500,
    body: refusalOf(0, 'An error occurred.'),
  })),
  answering(
    'a proxy drops the header with a dot, and the portal fails',
    ({ headers: { 'svc.tenantid': _, ...headers }, ...call }) => ({
      ...respondToCall({ ...call, headers }),
      status: 500,
      body: refusalOf(0, 'An internal error occurred.'),
    }),
  ),
  answering('an error of an unknown shape', () => ({
    status: 500,
    body: { fault: { faultstring: 'Policy failed', detail: { errorcode: 'steps.Raise' } } },
  })),
  answering('401 and an empty body', () => ({ status: 401, body: '' })),
  answering('403 and an empty body', () => ({ status: 403, body: '' })),
  answering('wrong address: 404 and HTML', () => html(404, 'Not found')),
  refusing('wrong address: 404 and an envelope', 404, 'There is no such endpoint'),
  refusing(
    'wrong address: 404 that repeats the path',
    404,
    "No HTTP resource was found that matches the request URI 'https://api.example/v2/api/services/app/ItemLinks/CreateEncryptedKey'",
  ),
  answering('wrong address: a login page with 200', () => html(200, 'Sign in')),
  answering('wrong address: a redirect', () => ({
    status: 302,
    headers: { location: 'https://login.example/?next=/' },
    body: '',
  })),
  answering('a redirect to the sign-in page of the portal', () => ({
    status: 302,
    headers: { location: '/Account/Login?ReturnUrl=%2Fapi' },
    body: '',
  })),
  answering('407 without a proxy', () => html(407, 'Proxy authentication required')),
  answering('a gateway requires a sign-in: 401 and HTML', () => html(401, 'Unauthorized')),
  answering('a firewall blocks: 403 and HTML', () => html(403, 'Blocked')),
  answering('too many requests, wait 7 s', () => ({
    status: 429,
    headers: { 'retry-after': '7' },
    body: '',
  })),
  answering('too many requests', () => ({ status: 429, body: '' })),
  answering('too many requests, wait a day', () => ({
    status: 429,
    headers: { 'retry-after': '86400' },
    body: '',
  })),
  answering('500 and HTML', () => html(500, 'Server error')),
  answering('502 from a gateway', () => html(502, 'Bad gateway')),
  answering('503 and Retry-After', () => html(503, 'Maintenance', { 'retry-after': '30' })),
  answering('501', () => html(501, 'Not implemented')),
  answering('504 from a gateway', () => html(504, 'Gateway timeout')),
  answering('511: the network requires a sign-in', () => html(511, 'Network authentication required')),
  answering('http instead of https: 400 and HTML', () =>
    html(400, 'The plain HTTP request was sent to HTTPS port'),
  ),
  answering('an empty response with 200', () => ({ body: '' })),
  answering('an envelope without a key', () => ({ body: { ...envelopeOf(''), result: {} } })),
  answering('a key with invalid characters', () => ({ body: envelopeOf('<key>"\n') })),
  answering('a response of 10 MB', () => ({ body: 'x'.repeat(10 * 2 ** 20) })),
  answering('headers of more than 16 KB', (call) => ({
    ...respondToCall(call),
    headers: { 'set-cookie': 'x'.repeat(17 * 1024) },
  })),
  answering('works, with headers of 15 KB', (call) => ({
    ...respondToCall(call),
    headers: { 'set-cookie': 'x'.repeat(15 * 1024) },
  })),
  answering('works, with a byte order mark', (call) => {
    const { body, ...answer } = respondToCall(call);
    return { ...answer, body: `\uFEFF${JSON.stringify(body)}` };
  }),
  answering('works, compressed', packed),
  answering('works, with a clock ten minutes ahead', (call) => ({
    ...respondToCall(call),
    headers: { date: new Date(Date.now() + 600_000).toUTCString() },
  })),
  breaking('does not respond', { kind: 'hang' }, { totalTimeoutMs: 400 }),
  breaking('resets the connection', { kind: 'reset' }),
  breaking('closes the connection during the response', { kind: 'truncate', bytes: 90 }),
  speaking('stops during the response', 'HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n{"res', {
    isOpen: true,
    totalTimeoutMs: 400,
  }),
  speaking('does not use HTTP', '220 mail.example ESMTP\r\n', {}),
  speaking('closes the connection during the TLS handshake', '', { scheme: 'https' }),
  unreachable('nothing listens there', async (portal) => {
    await portal.close();
    return portal.url;
  }),
  unreachable('host name does not exist', () => 'https://portal.invalid'),
  unreachable('https instead of http', ({ url }) => url.replace('http:', 'https:')),
  {
    name: 'http instead of https',
    start: async () => {
      const portal = await startTlsPortal('portal');
      return runningAt(portal.addressUrl.replace('https:', 'http:'), () => portal.close());
    },
  },
  overTls('certificate is self-signed', 'self-signed', { address: 'url' }),
  overTls('certificate of an unknown authority', 'portal', { address: 'url' }),
  overTls('certificate of another host', 'portal', {
    address: 'addressUrl',
    tls: { ca: readFileSync(certificatePath('authority'), 'utf8') },
  }),
];
