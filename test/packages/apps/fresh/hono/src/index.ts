import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const app = new Hono();

app.get('/', (c) => {
  return c.text('Hello Hono!');
});

serve(
  {
    fetch: app.fetch,
    port: 0,
  },
  (info) => {
    process.stdout.write(`Server is running on http://localhost:${info.port}\n`);
  },
);
