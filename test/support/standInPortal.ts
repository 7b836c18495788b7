import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { listenOn } from './listenOn.ts';

export { listenOn as listen };

/** A call that a stand-in portal received. */
export interface ReceivedCall {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Header names as sent. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
  /** Calls back when the caller has closed its connection. */
  readonly onClose: (listener: () => void) => void;
}

/** The response of a stand-in: status, headers and body. */
export interface StandInAnswer {
  readonly status?: number;
  /** A header with several values is sent several times. */
  readonly headers?: Record<string, string | string[]>;
  readonly body: string | object;
}

/** A minimal CreateEncryptedKey whose responses a test controls. */
export interface StandInPortal {
  readonly url: string;
  readonly calls: ReceivedCall[];
  answer: (call: ReceivedCall) => StandInAnswer | Promise<StandInAnswer>;
  /** Connections that are open now. */
  openConnections(): number;
  close(): Promise<void>;
}

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

/** Starts a {@link StandInPortal}; its keys are `key-1`, `key-2` … until a test changes this. */
export const startStandInPortal = async (): Promise<StandInPortal> => {
  const calls: ReceivedCall[] = [];
  const onRequest: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const call = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        body: Buffer.concat(chunks).toString(),
        onClose: (listener: () => void) => void response.on('close', listener),
      };
      calls.push(call);
      void Promise.resolve(portal.answer(call)).then(({ status = 200, headers = {}, body }) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
      });
    });
  };
  const server = createServer(onRequest);
  let open = 0;
  server.on('connection', (socket) => {
    open += 1;
    socket.on('close', () => {
      open -= 1;
    });
  });
  const url = await listenOn(server);
  const portal: StandInPortal = {
    url,
    calls,
    answer: () => ({ body: envelopeOf(`key-${calls.length}`) }),
    openConnections: () => open,
    close: () => closeServer(server),
  };
  return portal;
};

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
