import {
  actionsPath,
  isItemId,
  itemsPath,
  keysPath,
  requestMarkerHeader,
  webhookPath,
} from '@vitrine/contract';
import { KeyRequestError } from './problems.ts';

/** A route of the mount. */
export type Route = 'keys' | 'items' | 'actions' | 'webhook';

const routes: Readonly<Record<string, Route>> = {
  [keysPath]: 'keys',
  [itemsPath]: 'items',
  [actionsPath]: 'actions',
};
/** Lenient, because the URL is typed into the portal by hand and the portal never resends a webhook. */
const webhook = new RegExp(`^/*${webhookPath}/*$`, 'i');

/**
 * Finds the route of a path without its query. Frameworks that strip the mount path pass `/keys`; others pass the whole
 * path, which must then start with the endpoint. Some redirect to a path with a trailing slash.
 */
export const matchRoute = (path: string, endpoint: string): Route | undefined => {
  const rest = endpoint !== '' && path.startsWith(`${endpoint}/`) ? path.slice(endpoint.length) : path;
  if (webhook.test(rest)) return 'webhook';
  const plain = rest.replace(/(?<=.)\/$/, '');
  return Object.hasOwn(routes, plain) ? routes[plain] : undefined;
};

/** Rejects another method. */
export const checkMethod = ({ method }: Request, allow: 'GET' | 'POST', detail: string): void => {
  if (method !== allow)
    throw new KeyRequestError({ code: 'method_not_allowed', allow, detail }, { origin: 'request' });
};

const crossSite = (problem: string, hint: string): KeyRequestError =>
  new KeyRequestError(
    { code: 'cross_site_request', detail: `Request rejected: ${problem}.` },
    { origin: 'request', problem, hint },
  );

const defaultPorts: Readonly<Record<string, string>> = { 'http:': ':80', 'https:': ':443' };

/** A host name in capital letters or with a final dot is the same host. */
const plainHost = (host: string): string => host.toLowerCase().replace(/\.(?=:\d*$|$)/, '');

/** Whether an origin is that of a host. False for an opaque origin. Some proxies add the default port to `Host`. */
const isAt = (host: string, origin: string): boolean => {
  const url = URL.parse(origin);
  const defaultPort = defaultPorts[url?.protocol ?? ''];
  if (url === null || defaultPort === undefined) return false;
  const [own, given] = [plainHost(url.host), plainHost(host)];
  return given === own || (url.port === '' && given === `${own}${defaultPort}`);
};

const allowOrigin = 'If the page is yours, add its origin to the option allowedOrigins.';

/** Formats a header for a message: short, and on one line. */
const quoted = (header: string): string => `"${header.replace(/[^\x20-\x7e]/g, '?').slice(0, 100)}"`;

/**
 * Rejects a request that another site may have made. Current browsers send `Sec-Fetch-Site` to trustworthy origins, and
 * no page can forge it. For plain http and older browsers, `Origin` decides.
 */
export const checkSite = ({ headers, url }: Request, allowedOrigins: ReadonlySet<string>): void => {
  const origin = headers.get('origin');
  if (origin !== null && allowedOrigins.has(origin)) return;
  const site = headers.get('sec-fetch-site');
  if (site === 'same-origin') return;
  if (site !== null)
    throw crossSite(`the header Sec-Fetch-Site is ${quoted(site)}, not "same-origin"`, allowOrigin);
  const host = headers.get('host') ?? new URL(url).host;
  if (origin === null || isAt(host, origin)) return;
  throw crossSite(
    `the header Origin is ${quoted(origin)} but the header Host is ${quoted(host)}`,
    `Let your reverse proxy forward the header Host (nginx: proxy_set_header Host $http_host). ${allowOrigin}`,
  );
};

/**
 * Rejects a request without the marker header. Setting it across origins needs a preflight, which we never grant, so it
 * protects even if a browser sends neither `Sec-Fetch-Site` nor `Origin`.
 */
export const checkMarker = ({ headers }: Request): void => {
  if (headers.get(requestMarkerHeader) === null)
    throw crossSite(
      `the header ${requestMarkerHeader}: 1 is missing; @vitrine/react always sends it`,
      'Add the header to your own requests, and let proxies forward it.',
    );
};

const jsonType = /^application\/json\s*(;|$)/i;

/** Rejects a body that is not declared as JSON. */
export const checkJson = ({ headers }: Request): void => {
  if (!jsonType.test(headers.get('content-type') ?? ''))
    throw new KeyRequestError(
      { code: 'unsupported_media_type', detail: 'The Content-Type must be application/json.' },
      { origin: 'request' },
    );
};

/** What something before Vitrine has made of a body: a parser's result, or the bytes that it kept. */
export interface ParsedBody {
  readonly body: unknown;
  readonly rawBody?: unknown;
}

/** The body of a request. */
export type Body =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'parsed'; readonly parsed: ParsedBody }
  | { readonly kind: 'too-large' }
  /** The client disconnected while sending. */
  | { readonly kind: 'gone' };

/** Reads the body of a request up to a size. */
export interface BodyReader {
  read(maxBytes: number): Promise<Body>;
  /** Lets the platform free what was not read to its end. */
  cancel(): void;
}

/** Creates the {@link BodyReader} of a request. `ready` returns the body if something before Vitrine has read it. */
export const createBodyReader = (
  request: Request,
  ready: () => Body | undefined = () => undefined,
): BodyReader => {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  const readStream = async (maxBytes: number): Promise<Body> => {
    if (request.body === null) return { kind: 'bytes', bytes: new Uint8Array() };
    reader = request.body.getReader();
    const chunks: Uint8Array[] = [];
    for (let size = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) return { kind: 'bytes', bytes: Buffer.concat(chunks) };
      size += value.length;
      if (size > maxBytes) return { kind: 'too-large' };
      chunks.push(value);
    }
  };

  return {
    read: async (maxBytes) => {
      const length = request.headers.get('content-length');
      if (Number(length ?? 0) > maxBytes) return { kind: 'too-large' };
      const found = ready();
      if (found !== undefined) return found;
      const taken: Body = { kind: 'parsed', parsed: { body: undefined } };
      if (request.bodyUsed) return taken;
      try {
        // The request of @hono/node-server reads without a stream, which costs more than the rest of a request. Node
        // enforces the announced length.
        if (length !== null && request.arrayBuffer !== Request.prototype.arrayBuffer)
          return { kind: 'bytes', bytes: new Uint8Array(await request.arrayBuffer()) };
        return request.body?.locked === true ? taken : await readStream(maxBytes);
      } catch {
        return { kind: 'gone' };
      }
    },
    cancel: () => {
      // Deferred: canceling a stream of Readable.toWeb() during a pending read ends the process (nodejs/node#64529).
      if (reader !== undefined) setImmediate(() => void reader?.cancel().catch(() => undefined));
    },
  };
};

/** Maximum size of a key request's body. `{"itemId":…}` needs 40 bytes. */
export const maxKeyRequestBytes = 2048;

const invalid = (detail: string, code: 'invalid_request' | 'invalid_item_id' = 'invalid_request') =>
  new KeyRequestError({ code, detail }, { origin: 'request', problem: detail });

const parseJson = (text: string): unknown => {
  try {
    // Some clients send a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw invalid('The body must be a JSON object such as {"itemId":1042}.');
  }
};

const valueOf = (body: Exclude<Body, { kind: 'too-large' | 'gone' }>): unknown => {
  const read = body.kind === 'bytes' ? body.bytes : body.parsed.body;
  if (read === undefined)
    throw invalid(
      'The body is missing because something else read it first. Mount Vitrine before other body parsers.',
    );
  if (typeof read === 'string') return parseJson(read);
  return read instanceof Uint8Array ? parseJson(Buffer.from(read).toString('utf8')) : read;
};

/** Reads the body of `POST {endpoint}/keys`: an object with `itemId` and nothing else. */
export const readItemId = (body: Exclude<Body, { kind: 'gone' }>): number => {
  if (body.kind === 'too-large') {
    const detail = 'The body of a key request must not exceed 2,048 bytes.';
    throw new KeyRequestError(
      { code: 'request_too_large', detail, closesConnection: true },
      { origin: 'request', problem: detail },
    );
  }
  const value = valueOf(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('The body must be a JSON object such as {"itemId":1042}.');
  if (!Object.hasOwn(value, 'itemId')) throw invalid('The body lacks "itemId", the ID of the report.');
  if (Object.keys(value).length > 1)
    throw invalid(
      'The body must contain only "itemId". The server decides who the viewer is and which roles apply.',
    );
  const { itemId } = value as { itemId: unknown }; // the check above guarantees it
  if (!isItemId(itemId))
    throw invalid('"itemId" must be a positive whole number, such as 1042.', 'invalid_item_id');
  return itemId;
};
