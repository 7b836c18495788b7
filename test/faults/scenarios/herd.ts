import { createServer, request } from 'node:http';
import { closeServer, envelopeOf, listen } from '../../support/standInPortal.ts';
import { type HostKind, startHost } from './startHost.ts';

/** What was measured when all viewers arrived at once. */
export interface HerdFindings {
  readonly answered: number;
  readonly errors: number;
  readonly calls: number;
  /** The maximum of concurrent connections to the portal. */
  readonly peakConnections: number;
  readonly totalMs: number;
  /** The peak memory of the host's process, in MB. */
  readonly memoryMb: number;
}

export interface HerdOptions {
  readonly viewers: number;
  /** Whether they all request the same key. Default false. */
  readonly areAlike?: boolean;
  /** Whether the portal answers nobody before the last of them has reached the host, so that they all overlap. */
  readonly overlap?: boolean;
}

/** Starts a portal and a host in its own process, and sends all viewers at once. The portal takes 50 ms per key. */
export const runHerdScenario = async (
  kind: HostKind,
  { viewers, areAlike = false, overlap = areAlike }: HerdOptions,
): Promise<HerdFindings> => {
  let [calls, open, peak] = [0, 0, 0];
  const everybodyIn = Promise.withResolvers<void>();
  const portal = createServer((incoming, response) => {
    calls += 1;
    incoming.resume();
    const answer = () => response.end(JSON.stringify(envelopeOf('k'.repeat(600))));
    void everybodyIn.promise.then(() => setTimeout(answer, 50));
  });
  portal.keepAliveTimeout = 60_000;
  portal.on('connection', (socket) => {
    open += 1;
    peak = Math.max(peak, open);
    socket.on('close', () => {
      open -= 1;
    });
  });
  const host = await startHost(await listen(portal), kind);
  const ask = (viewer: number): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        'x-vitrine-request': '1',
        'x-user': areAlike ? 'everybody' : `viewer-${viewer}`,
      };
      request(`${host.url}/api/embed/keys`, { method: 'POST', agent: false, headers }, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      })
        .on('error', reject)
        .end('{"itemId":1042}');
    });
  try {
    const start = performance.now();
    let broken = 0;
    const asked = Array.from({ length: viewers }, (_, viewer) =>
      ask(viewer).catch(() => {
        broken += 1;
        return 0;
      }),
    );
    if (overlap) while ((await host.look()).requests + broken < viewers);
    everybodyIn.resolve();
    const statuses = await Promise.all(asked);
    return {
      answered: statuses.filter((status) => status === 200).length,
      errors: statuses.filter((status) => status !== 200).length,
      calls,
      peakConnections: peak,
      totalMs: performance.now() - start,
      memoryMb: (await host.look()).memoryMb,
    };
  } finally {
    await host.stop();
    await closeServer(portal);
  }
};
