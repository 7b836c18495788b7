/** Starts the unchanged backend of the README in BACKEND, and serves the built page in front of it. */
import { createServer } from 'node:net';
import { preview } from 'vite';

const freePort = await new Promise<number>((resolve) => {
  const probe = createServer();
  probe.listen(0, () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
  });
});
process.env['PORT'] = String(freePort);
await import(process.env['BACKEND'] ?? './server.ts');

const server = await preview({
  logLevel: 'silent',
  preview: { port: 0, host: '127.0.0.1', proxy: { '^/(api|webhooks)/': `http://127.0.0.1:${freePort}` } },
});
const address = server.httpServer.address();
process.send?.(typeof address === 'object' && address !== null ? address.port : 0);
