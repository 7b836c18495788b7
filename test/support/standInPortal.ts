import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOn } from './listenOn.ts';

export { listenOn as listen };

/** A call that a stand-in portal received. */
export interface ReceivedCall {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Header names as sent. */
  readonly rawHeaders: readonly string[];
}

/** The response of a stand-in: status, headers and body. */
export interface StandInAnswer {
  readonly status?: number;
  /** A header with several values is sent several times. */
  readonly headers?: Record<string, string | string[]>;
  /** Sent as JSON; a string or bytes are sent unchanged. */
  readonly body?: unknown;
}

/** Returns a response, or uses the raw one and returns nothing. */
type Answer = (
  call: ReceivedCall,
  response: ServerResponse,
) => StandInAnswer | undefined | Promise<StandInAnswer | undefined>;

/** The envelope of a success. */
export const envelopeOf = (key: string): object => ({
  result: { key },
  targetUrl: null,
  success: true,
  error: null,
  unAuthorizedRequest: false,
  __abp: true,
});

/** The envelope of an error. */
export const refusalOf = (code: number, message: string): object => ({
  result: null,
  targetUrl: null,
  success: false,
  error: { code, message, details: null, validationErrors: null },
  unAuthorizedRequest: code === 401,
  __abp: true,
});

/** Ends a server and every connection to it. */
export const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/** A minimal CreateEncryptedKey, whose keys are `key-1`, `key-2` … until a test changes `answer`. */
export const startStandInPortal = async () => {
  const calls: ReceivedCall[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers, rawHeaders } = request;
    const call = { method, url, headers, rawHeaders, body: await text(request) };
    calls.push(call);
    const answer = await portal.answer(call, response);
    if (answer === undefined) return;
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
    const { body } = answer;
    response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
  const url = await listenOn(server);
  const answer: Answer = () => ({ body: envelopeOf(`key-${calls.length}`) });
  const portal = {
    url,
    calls,
    answer,
    /** Ends every connection. */
    cut: () => server.closeAllConnections(),
    close: () => closeServer(server),
  };
  return portal;
};
export type StandInPortal = Awaited<ReturnType<typeof startStandInPortal>>;

/** A connection to a stand-in, with secrets that no other text contains. */
export const connectionTo = (url: string) => ({
  tenantUrl: 'https://acme.portal.example',
  apiBaseUrl: url,
  tenantId: 101,
  tenancyName: 'acme',
  apiKey: 'api-key-Zq83nVb2Lw0x',
  passPhrase: 'pass phrase Km47+/=ü tR9',
});

/** The items of {@link respondToCall}. */
export const knownItems = { open: 1042, notShared: 1050, absent: 9999 };

const valueOf = (body: string): { itemId: unknown; passPhrase: unknown; tenancyName: unknown } => {
  const { value, passPhrase, tenancyName } = JSON.parse(body);
  return { itemId: value?.reportId, passPhrase, tenancyName };
};

/** Validates a call by docs/interface.md#4.6, without our own code. */
export const respondToCall = (call: ReceivedCall): StandInAnswer => {
  if (call.method !== 'POST')
    return { headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Report</title>' };
  const connection = connectionTo('');
  const refuse = (status: number, code: number, message: string): StandInAnswer => ({
    status,
    body: refusalOf(code, message),
  });
  const tenantId = call.headers['svc.tenantid'];
  if (tenantId === undefined) return refuse(400, 400, 'The header Svc.TenantId is missing.');
  if (
    tenantId !== String(connection.tenantId) ||
    call.headers.authorization !== `ApiKey ${connection.apiKey}`
  )
    return refuse(401, 401, 'The API key is not one of this tenant.');
  const { itemId, passPhrase, tenancyName } = valueOf(call.body);
  if (tenancyName !== connection.tenancyName) return refuse(500, 0, 'There is no tenancy of this name.');
  if (passPhrase !== connection.passPhrase) return refuse(500, 0, 'The passphrase is wrong.');
  if (itemId === knownItems.notShared) return refuse(500, 0, 'The report is not shared with this user.');
  if (itemId !== knownItems.open) return refuse(404, 404, 'There is no such item.');
  return { body: envelopeOf('mode-key') };
};
