import { expect, it, onTestFinished } from 'vitest';
import { startFaultProxy } from '../support/faultProxy.ts';
import { startStandInPortal } from '../support/standInPortal.ts';
import { troubles } from './scenarios/chaos.ts';
import { startHost } from './scenarios/startHost.ts';

const requestsEachTrouble = 500;
const width = 50;

const sendTo = async (url: string, name: string): Promise<void> => {
  for (let sent = 0; sent < requestsEachTrouble; sent += width)
    await Promise.all(
      Array.from({ length: width }, async (_, viewer) => {
        const response = await fetch(`${url}/api/embed/keys`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-vitrine-request': '1',
            'x-user': `${name.replaceAll(/\W/g, '-')}-${sent + viewer}`,
          },
          body: '{"itemId":1042}',
          signal: AbortSignal.timeout(2000),
        }).catch(() => undefined);
        await response?.arrayBuffer().catch(() => undefined);
      }),
    );
};

it('no fault of the portal blocks the event loop of the host', async (context) => {
  const portal = await startStandInPortal();
  const proxy = await startFaultProxy(portal.url);
  const host = await startHost(proxy.url, 'ours');
  onTestFinished(async () => {
    await host.stop();
    await proxy.close();
    await portal.close();
  });
  const healthy = portal.answer;
  await sendTo(host.url, 'warm');
  await host.look();
  await sendTo(host.url, 'well');
  const { eventLoopP99Ms: usualMs } = await host.look();
  // On a busy machine the event loop of a healthy host is also late, and the figure is meaningless.
  if (usualMs > 20) context.skip(`the loop of a healthy host is ${Math.round(usualMs)} ms late here`);
  const seen: Record<string, number> = { well: Math.round(usualMs) };
  for (const trouble of troubles) {
    proxy.cut();
    proxy.fault = trouble.fault ?? { kind: 'none' };
    portal.answer = trouble.answer ?? healthy;
    await sendTo(host.url, trouble.name);
    const { eventLoopP99Ms } = await host.look();
    seen[trouble.name] = Math.round(eventLoopP99Ms);
    expect.soft(eventLoopP99Ms, trouble.name).toBeLessThanOrEqual(50);
  }
  process.stdout.write(`event loop p99 in ms: ${JSON.stringify(seen)}\n`);
});

it('control: the same check detects a host that blocks the event loop', async () => {
  const host = await startHost('http://127.0.0.1:9', 'blocking');
  onTestFinished(() => host.stop());
  await host.look();
  await Promise.all(Array.from({ length: 20 }, () => fetch(`${host.url}/`, { method: 'POST' })));
  expect((await host.look()).eventLoopP99Ms).toBeGreaterThan(50);
});
