import type { Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono/tiny';
import type { PortalEnv } from './respond.ts';

// Not an import, which reads all exports of the module and so loads Node's WebSocket.
const { createServer } = process.getBuiltinModule('node:http');

const unreadable = { error: { code: 'bad_request', message: 'The path or the Host header is not valid.' } };

/** Creates the HTTP server of an app. */
export const createListener = (app: Hono<PortalEnv>): Server => {
  const answer = getRequestListener(app.fetch, {
    // The host's process has its own, and `@vitrine/vite` runs the portal inside it.
    overrideGlobalObjects: false,
    hostname: 'localhost',
    errorHandler: () => Response.json(unreadable, { status: 400 }),
  });
  return createServer({ keepAliveTimeout: 30_000 }, (message, response) => void answer(message, response));
};
