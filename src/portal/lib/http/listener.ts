import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono/tiny';
import type { PortalEnv } from './respond.ts';

// Not an import, which reads all exports of the module and so loads Node's WebSocket.
const { createServer } = process.getBuiltinModule('node:http');

/** What Hono cannot read never reaches the app. */
const refuseUnreadable = (): Response => {
  const requestId = randomUUID();
  const error = { code: 'bad_request', message: 'The path or the Host header is not valid.', requestId };
  return Response.json({ error }, { status: 400, headers: { 'x-request-id': requestId } });
};

/** Starts an HTTP server, whose app may need its address. */
export const listen = async (port: number, host: string): Promise<Server> => {
  const server = createServer({ keepAliveTimeout: 30_000 }).listen(port, host);
  await once(server, 'listening');
  return server;
};

/** Answers a server's requests with an app. */
export const serve = (server: Server, app: Hono<PortalEnv>): void => {
  const answer = getRequestListener(app.fetch, {
    // The host's process has its own, and `@vitrine/vite` runs the portal inside it.
    overrideGlobalObjects: false,
    hostname: 'localhost',
    errorHandler: refuseUnreadable,
  });
  server.on('request', (message, response) => void answer(message, response));
};
