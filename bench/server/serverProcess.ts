/** One of the designs in its own process. */
import type { AddressInfo } from 'node:net';
import { readUsage, serveRequests } from '../lib/worker.ts';
import { type DesignName, type DesignOptions, designs } from './designs.ts';

serveRequests(
  async (request: { kind: 'listen'; name: DesignName; options: DesignOptions } | { kind: 'usage' }) => {
    if (request.kind === 'usage') return readUsage();
    const server = designs[request.name](request.options);
    await new Promise<void>((resolve) => {
      server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, resolve);
    });
    const { port } = server.address() as AddressInfo; // it listens on TCP
    return `http://127.0.0.1:${port}`;
  },
);
