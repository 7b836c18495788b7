/** Serves the current folder with Vite and the plugin, requests a key, prints the status, and exits. */
import { vitrine } from '@vitrine/vite';
import { createServer } from 'vite';

const server = await createServer({
  configFile: false,
  logLevel: 'silent',
  plugins: [vitrine()],
  server: { port: 0, host: 'localhost' },
});
await server.listen();
const response = await fetch(new URL('/api/embed/keys', server.resolvedUrls?.local[0]), {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-vitrine-request': '1' },
  body: '{"itemId":1042}',
});
process.stdout.write(String(response.status));
await server.close();
