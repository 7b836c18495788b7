import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
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

/** What a host writes down about a portal of the tests, all of it plain text. */
export interface ModeConnection {
  readonly tenantUrl: string;
  readonly apiBaseUrl: string;
  readonly tenantId: number;
  readonly tenancyName: string;
  readonly apiKey: string;
  readonly passPhrase: string;
}

/** A portal that runs in one of the modes, behind real sockets. */
export interface RunningMode {
  readonly connection: ModeConnection;
  /** Options of the host that shorten what would take seconds. */
  readonly upstream: UpstreamOptions;
  /** The report to ask for. */
  readonly itemId: number;
  close(): Promise<void>;
}

/** A way in which a portal, or the network before it, can behave. */
export interface PortalMode {
  /** Few plain words: the first column of `docs/portal-modes.md`. */
  readonly name: string;
  readonly start: () => Promise<RunningMode>;
}

/** What the stand-in accepts. */
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

/** Judges a call as the interface says (4.6), with none of our own code between. */
export const judgeCall = (call: ReceivedCall): StandInAnswer => {
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

/** A mode in which the portal answers POST in its own way, and shows its pages as usual. */
const answering = (
  name: string,
  answer: (call: ReceivedCall) => StandInAnswer | Promise<StandInAnswer>,
): PortalMode => ({
  name,
  start: async () => {
    const portal = await startStandInPortal();
    portal.answer = (call) => (call.method === 'POST' ? answer(call) : judgeCall(call));
    return runningAt(portal.url, () => portal.close());
  },
});

/** A mode in which the portal works and the host has something wrong. */
const configured = (
  name: string,
  change: Partial<Omit<ModeConnection, 'apiBaseUrl'>>,
  itemId = known.open,
): PortalMode => ({
  name,
  start: async () => {
    const portal = await startStandInPortal();
    portal.answer = judgeCall;
    const running = runningAt(portal.url, () => portal.close(), { itemId });
    return { ...running, connection: { ...running.connection, ...change } };
  },
});

/** A mode in which something breaks between the two. */
const breaking = (name: string, fault: Fault, upstream: UpstreamOptions = {}): PortalMode => ({
  name,
  start: async () => {
    const portal = await startStandInPortal();
    portal.answer = judgeCall;
    const proxy = await startFaultProxy(portal.url);
    proxy.fault = fault;
    const close = async () => {
      await proxy.close();
      await portal.close();
    };
    return runningAt(proxy.url, close, { upstream: { retry: false, ...upstream } });
  },
});

/** A mode in which no connection can be made at all. */
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

/** A mode of a server that answers every connection with bytes that are not HTTP. */
const speakingNoHttp = (name: string): PortalMode => ({
  name,
  start: async () => {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.once('data', () => socket.end('220 mail.example ESMTP\r\n'));
    });
    const url = await listenOn(server);
    return runningAt(url, () => new Promise((resolve) => server.close(() => resolve())));
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

const packed = (call: ReceivedCall): StandInAnswer => {
  const { body, ...answer } = judgeCall(call);
  return { ...answer, headers: { 'content-encoding': 'gzip' }, body: gzipSync(JSON.stringify(body)) };
};

/** The portal's envelope about a field that it does not accept. */
const invalidField = (field: string, message: string): object => ({
  ...refusalOf(400, 'Your request is not valid.'),
  error: {
    code: 400,
    message: 'Your request is not valid.',
    details: null,
    validationErrors: [{ message, members: [field] }],
  },
});

/** Every mode. A new one needs a row here and a run with `VITRINE_WRITE_DOCS=1`, see `portalModesPage.ts`. */
export const portalModes: readonly PortalMode[] = [
  configured('works', {}),
  configured('unknown API key', { apiKey: 'mode-api-key-that-is-wrong' }),
  answering('API key lacks the permissions', () => ({
    status: 403,
    body: refusalOf(403, 'A required permission is missing.'),
  })),
  configured('passphrase is wrong', { passPhrase: 'mode-pass-phrase-wrong' }),
  answering('passphrase is wrong, with status 200', (call) => ({
    ...judgeCall({ ...call, body: call.body.replace(accepted.passPhrase, 'another-pass-phrase') }),
    status: 200,
  })),
  configured('tenancy name is wrong', { tenancyName: 'globex' }),
  configured('tenant ID is wrong', { tenantId: 102 }),
  answering(
    'a proxy drops the header with a dot',
    ({ headers: { 'svc.tenantid': _, ...headers }, ...call }) => judgeCall({ ...call, headers }),
  ),
  configured('no report with this ID', {}, known.absent),
  configured('report is not shared with the user', {}, known.notShared),
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
      ...judgeCall({ ...call, headers }),
      status: 500,
      body: refusalOf(0, 'An internal error occurred.'),
    }),
  ),
  answering('401 and an empty body', () => ({ status: 401, body: '' })),
  answering('403 and an empty body', () => ({ status: 403, body: '' })),
  answering('wrong address: 404 and HTML', () => html(404, 'Not found')),
  answering('wrong address: a login page with 200', () => html(200, 'Sign in')),
  answering('wrong address: a redirect', () => ({
    status: 302,
    headers: { location: 'https://login.example/?next=/' },
    body: '',
  })),
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
  answering('works, with a byte order mark', (call) => {
    const { body, ...answer } = judgeCall(call);
    return { ...answer, body: `\uFEFF${JSON.stringify(body)}` };
  }),
  answering('works, compressed', packed),
  answering('works, with a clock ten minutes ahead', (call) => ({
    ...judgeCall(call),
    headers: { date: new Date(Date.now() + 600_000).toUTCString() },
  })),
  breaking('does not respond', { kind: 'hang' }, { attemptTimeoutMs: 150, totalTimeoutMs: 400 }),
  breaking('resets the connection', { kind: 'reset' }),
  breaking('closes the connection during the response', { kind: 'truncate', bytes: 90 }),
  speakingNoHttp('does not use HTTP'),
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
    ca: readFileSync(certificatePath('authority'), 'utf8'),
  }),
];
