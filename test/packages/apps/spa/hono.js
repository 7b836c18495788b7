import { serve } from '@hono/node-server';
import { createFetchHandler, portalFromEnv } from '@vitrine/server';
import { Hono } from 'hono';
import { readBuilt } from './readBuilt.js';

const embed = createFetchHandler({
  portal: portalFromEnv(),
  webRequest: (c) => c.req.raw,
  viewer: () => ({ userId: 'north.manager@acme.example', roleNames: ['region-north'] }),
  canView: () => true,
});

const app = new Hono();
app.all('/api/embed/*', embed);
app.get('/*', (c) => {
  const [type, body] = readBuilt(c.req.path);
  return c.body(body, 200, { 'content-type': type });
});
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.send(port));
