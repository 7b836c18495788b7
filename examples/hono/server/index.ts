import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { embed } from './vitrine.ts';

const app = new Hono();
app.all('/api/embed/*', (c) => embed(c.req.raw));
// The page, after `npm run build`. During development, Vite serves it.
app.use(serveStatic({ root: 'dist' }));
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) });
