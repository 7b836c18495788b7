import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import start from './dist/server/server.js';

const app = new Hono();
app.use('/assets/*', serveStatic({ root: './dist/client' }));
app.all('/*', (c) => start.fetch(c.req.raw));
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  process.stdout.write(`http://localhost:${port}\n`),
);
