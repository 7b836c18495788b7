import { setMaxListeners } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono/tiny';
import type { PortalEnv } from './respond.ts';

// Not an import, which reads all exports of the module and so loads Node's WebSocket.
const { createServer } = process.getBuiltinModule('node:http');

const unreadable = { error: { code: 'bad_request', message: 'The path or the Host header is not valid.' } };

/** Creates the HTTP server of an app. When `stopping` fires, connections close after in-flight responses. */
export const createListener = (app: Hono<PortalEnv>, stopping: AbortSignal): Server => {
  // Each open event stream listens.
  setMaxListeners(0, stopping);
  const answer = getRequestListener(app.fetch, {
    // The host's process has its own, and `@vitrine/vite` runs the portal inside it.
    overrideGlobalObjects: false,
    hostname: 'localhost',
    errorHandler: () => Response.json(unreadable, { status: 400 }),
  });
  const inFlight = new Set<ServerResponse>();
  // Browsers keep connections without requests open; `close` alone would wait for them.
  const endWhenAnswered = () => {
    if (stopping.aborted && inFlight.size === 0) server.closeAllConnections();
  };
  const endConnection = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('connection', 'close');
  };
  stopping.addEventListener(
    'abort',
    () => {
      inFlight.forEach(endConnection);
      setImmediate(endWhenAnswered);
    },
    { once: true },
  );
  const server = createServer({ keepAliveTimeout: 30_000 }, (message, response) => {
    inFlight.add(response);
    response.once('close', () => {
      inFlight.delete(response);
      endWhenAnswered();
    });
    if (stopping.aborted) endConnection(response);
    void answer(message, response);
  });
  return server;
};
