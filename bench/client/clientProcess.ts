/** One client in its own process. */
import { serveRequests } from '../lib/worker.ts';
import { type ClientName, clients } from './clients.ts';

export interface CallsRequest {
  readonly calls: number;
  readonly inFlight: number;
}

export interface CallsResult {
  readonly cpuMicros: number;
  readonly wallMicros: number;
}

let readUser: (() => Promise<unknown>) | undefined;

serveRequests(
  async (request: { kind: 'start'; name: ClientName; port: number } | ({ kind: 'calls' } & CallsRequest)) => {
    if (request.kind === 'start') {
      readUser = await clients[request.name](request.port);
      return true;
    }
    const read = readUser;
    if (read === undefined) throw new Error('No client was started.');
    let left = request.calls;
    const work = async () => {
      while (left > 0) {
        left -= 1;
        const email = await read();
        if (email !== 'north.manager@acme.example') throw new Error(`Read ${String(email)}.`);
      }
    };
    const cpu = process.cpuUsage();
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: request.inFlight }, work));
    const wallMicros = (performance.now() - startedAt) * 1000;
    const { user, system } = process.cpuUsage(cpu);
    const result: CallsResult = {
      cpuMicros: (user + system) / request.calls,
      wallMicros: wallMicros / request.calls,
    };
    return result;
  },
);
