import { createServer } from 'node:http';
import { Agent, fetch } from 'undici';
import { closeServer, envelopeOf, listen } from '../../support/standInPortal.ts';
import { startHost } from './startHost.ts';

/** Hosts of two tenants: ours, one whose tenants share their connections to the portal, and one of ours per tenant. */
export type NeighborHost = 'twoTenants' | 'sharedPool' | 'apart';

/**
 * How long the viewers of one tenant wait, in milliseconds, while the portal of the other works and while it is down.
 */
export interface NeighborFindings {
  readonly p99WellMs: readonly number[];
  readonly p99DownMs: readonly number[];
  /** Responses other than a key for the tenant with the working portal. */
  readonly failures: readonly string[];
}

const p99 = (waits: readonly number[]): number =>
  waits.toSorted((one, other) => one - other)[Math.floor(waits.length * 0.99)] ?? Number.NaN;

const portalDelayMs = 20;

/**
 * Two tenants share one host, each with viewers that arrive at a steady rate. The portal of the second works and hangs
 * in turn; the viewers of the first are measured.
 */
export const runNeighborsScenario = async (
  kind: NeighborHost,
  size: { readonly pairs: number; readonly requestsEachWindow: number; readonly everyMs: number },
): Promise<NeighborFindings> => {
  let isSecondDown = false;
  const portal = createServer((request, response) => {
    request.resume();
    const isSecond = request.headers['svc.tenantid'] === '2';
    if (isSecond && isSecondDown) return;
    setTimeout(() => response.end(JSON.stringify(envelopeOf('k'.repeat(600)))), portalDelayMs);
  });
  portal.keepAliveTimeout = 60_000;
  const portalUrl = await listen(portal);
  const host = await startHost(portalUrl, kind === 'apart' ? 'twoTenants' : kind);
  const hostOfSecond = kind === 'apart' ? await startHost(portalUrl, 'twoTenants') : host;
  const failures: string[] = [];
  // Hanging viewers keep their sockets. So those of the second tenant use new ones while its portal works, too: the
  // cost of sockets is not what this measures.
  const newSockets = new Agent({ pipelining: 0 });
  let sent = 0;
  const ask = async (tenant: 1 | 2): Promise<number> => {
    const start = performance.now();
    const response = await fetch(`${(tenant === 1 ? host : hostOfSecond).url}/api/embed/keys`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-vitrine-request': '1',
        'x-user': `viewer-${(sent += 1)}`,
        'x-tenant': String(tenant),
      },
      body: '{"itemId":1042}',
      ...(tenant === 2 && { dispatcher: newSockets }),
    });
    const answer = await response.text();
    if (tenant === 1 && response.status !== 200) failures.push(answer);
    return performance.now() - start;
  };
  const window = async (): Promise<number> => {
    const mine: Promise<number>[] = [];
    const others: Promise<number>[] = [];
    await new Promise<void>((resolve) => {
      const ticks = setInterval(() => {
        mine.push(ask(1));
        others.push(ask(2));
        if (mine.length < size.requestsEachWindow) return;
        clearInterval(ticks);
        resolve();
      }, size.everyMs);
    });
    await Promise.all(others);
    return p99(await Promise.all(mine));
  };
  const [p99WellMs, p99DownMs]: [number[], number[]] = [[], []];
  try {
    await window();
    for (let pair = 0; pair < size.pairs; pair += 1) {
      isSecondDown = false;
      p99WellMs.push(await window());
      isSecondDown = true;
      p99DownMs.push(await window());
    }
    return { p99WellMs, p99DownMs, failures };
  } finally {
    await newSockets.close();
    await host.stop();
    if (hostOfSecond !== host) await hostOfSecond.stop();
    await closeServer(portal);
  }
};
