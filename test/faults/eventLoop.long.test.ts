import { expect, it, onTestFinished } from 'vitest';
import { startFaultProxy } from '../support/faultProxy.ts';
import { startStandInPortal } from '../support/standInPortal.ts';
import { troubles } from './gates/chaos.ts';
import { startHost } from './gates/startHost.ts';

it('no trouble of the portal holds the event loop of the host up', { timeout: 600_000 }, async (context) => {
  const portal = await startStandInPortal();
  const proxy = await startFaultProxy(portal.url);
  const host = await startHost(proxy.url, 'ours');
  onTestFinished(async () => {
    await host.stop();
    await proxy.close();
    await portal.close();
  });
  const healthy = portal.answer;
  const send = (name: string) =>
    Promise.all(
      Array.from({ length: 50 }, async (_, viewer) => {
        const response = await fetch(`${host.url}/api/embed/keys`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-vitrine-request': '1',
            'x-user': `${name.replaceAll(/\W/g, '-')}-${viewer}`,
          },
          body: '{"itemId":1042}',
          signal: AbortSignal.timeout(2000),
        }).catch(() => undefined);
        await response?.arrayBuffer();
      }),
    );
  await send('warm');
  await host.look();
  await send('well');
  const { eventLoopP99Ms: usualMs } = await host.look();
  // On a machine with other work the loop of a healthy host is late too, and the figure says nothing about ours.
  if (usualMs > 20) context.skip(`the loop of a healthy host is ${Math.round(usualMs)} ms late here`);
  for (const trouble of troubles) {
    proxy.cut();
    proxy.fault = trouble.fault ?? { kind: 'none' };
    portal.answer = trouble.answer ?? healthy;
    await send(trouble.name);
    const { eventLoopP99Ms } = await host.look();
    expect.soft(eventLoopP99Ms, trouble.name).toBeLessThanOrEqual(50);
  }
});
