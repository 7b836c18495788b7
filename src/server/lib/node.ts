import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { createEndpoint, type Endpoint } from './keyEndpoint.ts';
import { warningFields } from './log.ts';
import type { VitrineOptions } from './options.ts';
import { malformedRequest, type Reply, toResponse } from './problems.ts';
import type { Body, ParsedBody } from './requestBody.ts';
import type { Viewer } from './viewer.ts';

/** A handler for `node:http` and frameworks with `(req, res, next)`: Express, Connect, Polka, Vite. */
export interface NodeHandler extends Pick<Endpoint<never>, 'close' | 'health'> {
  (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void;
}

/** A request whose body a parser of the host may have read before us, and whose path its router may have shortened. */
type HostRequest = IncomingMessage & Partial<ParsedBody> & { readonly originalUrl?: string };

const isEmpty = (body: unknown): boolean =>
  body === undefined ||
  body === null ||
  (Object.getPrototypeOf(body) === Object.prototype && Object.keys(body).length === 0);

/**
 * What a parser has read. Some hosts bring a `body` without a stream. An empty object beside an unread stream is that of a
 * parser for another content type, and a stream that ended without a byte had no body.
 */
const readyBodyOf = (request: HostRequest): Body | undefined => {
  const { rawBody, readableDidRead, readableEnded } = request;
  if (readableEnded && !readableDidRead) return { kind: 'bytes', bytes: new Uint8Array() };
  let body: unknown;
  try {
    // Some hosts parse at this moment.
    ({ body } = request);
  } catch {
    return { kind: 'parsed', parsed: { body: '', rawBody } };
  }
  return readableDidRead || !isEmpty(body) ? { kind: 'parsed', parsed: { body, rawBody } } : undefined;
};

/**
 * Some hosts make a request of an event, with `headers` and without the raw ones, or with numbers in these. The
 * web-standard request reads the raw ones.
 */
const addRawHeaders = ({ rawHeaders, headers }: IncomingMessage): void => {
  if (rawHeaders.some((text) => typeof text !== 'string'))
    rawHeaders.splice(0, Infinity, ...rawHeaders.map(String));
  if (rawHeaders.length > 0) return;
  for (const [name, values = []] of Object.entries(headers))
    for (const value of [values].flat()) rawHeaders.push(name, String(value));
};

/**
 * Sends a reply with the methods that Express's `response.json()` uses. Middlewares replace methods of the response, and
 * their `writeHead` may drop the headers that it gets; nothing here uses what such a method returns.
 */
const send = async ({ status, headers, body }: Reply, outgoing: ServerResponse): Promise<void> => {
  if (outgoing.writableEnded || outgoing.destroyed) return;
  outgoing.statusCode = status;
  const hostVary = outgoing.getHeader('vary');
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
  if (hostVary !== undefined) outgoing.setHeader('Vary', [hostVary, headers['Vary'] ?? []].flat().join(', '));
  if (body === null || typeof body === 'string') {
    const text = body ?? '';
    if (!outgoing.hasHeader('content-length')) outgoing.setHeader('content-length', Buffer.byteLength(text));
    outgoing.end(text);
    return;
  }
  outgoing.flushHeaders();
  // The reader may leave at any time, which ends the stream at its source.
  const stream: unknown = body;
  await pipeline(Readable.fromWeb(stream as NodeReadableStream), outgoing).catch(() => undefined); // the same class under two names
};

/**
 * Creates the key endpoint as a plain `(req, res, next)` function. Throws if an option is not valid.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import { createNodeHandler, portalFromEnv } from '@vitrine/server';
 * import { mayOpen, userOf } from './yourSignIn.ts';
 *
 * const handler = createNodeHandler({ portal: portalFromEnv(), viewer: userOf, canView: mayOpen });
 * createServer((request, response) => handler(request, response)).listen(3000);
 * ```
 */
export const createNodeHandler = <
  TRequest extends IncomingMessage = IncomingMessage,
  TViewer extends Viewer = Viewer,
>(
  options: VitrineOptions<TRequest, TViewer>,
  /** Address of a webhook's sender, by the proxies that the framework trusts. Default: that of the connection. */
  sourceOf?: (request: TRequest) => string | undefined,
): NodeHandler => {
  const { handle, routeOf, logger, reportSendError, health, close } = createEndpoint(options);
  const listener = getRequestListener(
    async (request, bindings) => {
      const { incoming, outgoing } = bindings as HttpBindings; // HTTP/2 objects have the members that are used here
      // The framework's request extends the Node request; its type is the one that the host's callbacks declare.
      const hostRequest = incoming as TRequest;
      const reply = await handle(request, {
        hostRequest,
        source: () => sourceOf?.(hostRequest) ?? incoming.socket.remoteAddress,
        readyBody: () => readyBodyOf(incoming),
      });
      try {
        await send(reply, outgoing);
      } catch (error) {
        // A hook of the host threw in `writeHead`, or the host has started a response: ours is lost.
        reportSendError(error);
        outgoing.destroy();
      }
      return RESPONSE_ALREADY_SENT;
    },
    {
      // The default replaces `Request` and `Response` of the host's whole process.
      overrideGlobalObjects: false,
      hostname: 'host.invalid',
      // Only a URL or a Host header that no address is made of: everything else is answered above.
      errorHandler: () => toResponse(malformedRequest),
    },
  );
  let isWarned = false;
  /** Some mounts remove the whole path: `app.use('/api/embed/*splat', …)`, or `app.post('/api/embed/keys', …)` with use. */
  const warnAboutMount = ({ originalUrl = '' }: HostRequest, path: string): void => {
    const [whole = ''] = originalUrl.split('?');
    if (isWarned || !/^\/?$/.test(path) || routeOf(`/${whole.split('/').at(-1)}`) === undefined) return;
    isWarned = true;
    logger.warn(
      warningFields('mount_hides_path'),
      `The mount removes the whole path of ${whole}, so no route is found. Mount the handler at the path before the route, without a wildcard: app.use('/api/embed', …).`,
    );
  };

  const handler = function vitrine(
    request: IncomingMessage,
    response: ServerResponse,
    next?: (error?: unknown) => void,
  ): void {
    const [path = ''] = (request.url ?? '').split('?');
    const route = routeOf(path);
    if (route === undefined) warnAboutMount(request, path);
    if (route === undefined && next !== undefined) return next();
    addRawHeaders(request);
    void listener(request, response);
  };
  return Object.assign(handler, { health, close });
};
