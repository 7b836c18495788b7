/** Starts the unchanged backend of a page in BACKEND on a free port, and serves the built page in front of it. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { preview } from 'vite';

const probe = createServer().listen(0);
await once(probe, 'listening');
const { port } = probe.address() as AddressInfo; // it listens on one
probe.close();
process.env['PORT'] = String(port);
await import(process.env['BACKEND'] ?? './server.ts');

const server = await preview({
  logLevel: 'silent',
  preview: { port: 0, host: '127.0.0.1', proxy: { '^/(api|webhooks)/': `http://127.0.0.1:${port}` } },
});
process.stdout.write(`http://localhost:${(server.httpServer.address() as AddressInfo).port}\n`);
