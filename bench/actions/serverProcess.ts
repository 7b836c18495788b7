/** One of the designs in a process of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readUsage, serveRequests } from '../lib/worker.ts';
import { type DesignName, designs } from './designs.ts';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-actions-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

serveRequests(
  async (request: { kind: 'listen'; name: DesignName } | { kind: 'usage' } | { kind: 'collect' }) => {
    if (request.kind === 'usage') return readUsage();
    if (request.kind === 'collect') {
      globalThis.gc?.();
      return readUsage();
    }
    const server = await designs[request.name](join(folder, 'actions.db'));
    await new Promise<void>((resolve) => {
      server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, resolve);
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
  },
);
