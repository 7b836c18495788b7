import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPortal } from '@vitrine/portal';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { mintKey } from './mint.ts';
import { askTenant } from './onTenant.ts';

/** Only the machine's clock and its timers stand still: connections keep theirs. */
const wait = (ms: number) => void vi.advanceTimersByTime(ms);

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['Date', 'setTimeout', 'clearTimeout'],
    now: Date.parse('2026-11-20T12:00:00Z'),
  });
});
afterEach(() => void vi.useRealTimers());

const start = async () => {
  const portal = await createPortal();
  onTestFinished(() => portal.close());
  const tenant = portal.tenants[0] ?? expect.fail('The default seed has two tenants.');
  const control = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${portal.url}/_control${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(answer.ok).toBe(true);
    return answer;
  };
  return {
    portal,
    tenant,
    setSpeed: (speed: number) => control('POST', '/clock', { speed }),
    clock: async () => (await (await control('GET', '/clock')).json()) as { now: string; speed: number },
  };
};

describe("the portal's clock", () => {
  it.each([
    [60, 1000, '2026-11-20T12:01:00.000Z'],
    [0.5, 60_000, '2026-11-20T12:00:30.000Z'],
    [1_000_000, 36, '2026-11-20T22:00:00.000Z'],
  ])('at speed %d shows, after %d ms, %s', async (speed, ms, now) => {
    const { setSpeed, clock } = await start();
    await setSpeed(speed);
    wait(ms);
    expect(await clock()).toMatchObject({ now, speed });
  });

  it('never jumps when its speed changes', async () => {
    const { setSpeed, clock } = await start();
    for (const [speed, ms] of [
      [60, 1000],
      [2, 1000],
      [0.1, 10_000],
    ] as const) {
      const before = await clock();
      await setSpeed(speed);
      expect((await clock()).now).toBe(before.now);
      wait(ms);
    }
    expect((await clock()).now).toBe('2026-11-20T12:01:03.000Z');
  });

  it.each([
    [60, 1000],
    [0.5, 120_000],
  ])('at speed %d ends a key of one minute after %d ms', async (speed, ms) => {
    const { tenant, setSpeed } = await start();
    await setSpeed(speed);
    const key = await mintKey({ tenant, itemId: 1043, expiration: '2026-11-20T12:01:00Z' });
    const state = async () =>
      /data-portal-state="([a-z-]+)"/.exec(
        (await askTenant(tenant.tenantUrl, `/report/1043?ev=${encodeURIComponent(key)}`)).body,
      )?.[1];
    wait(ms - 1);
    expect(await state()).toBe('ready');
    wait(1);
    expect(await state()).toBe('expired');
  });

  it('runs at normal speed again after a reset, and takes no speed of zero', async () => {
    const { portal, setSpeed, clock } = await start();
    await setSpeed(60);
    expect(() => portal.clock.setSpeed(0)).toThrow('greater than 0');
    portal.clock.reset();
    wait(1000);
    expect(await clock()).toMatchObject({ now: '2026-11-20T12:00:01.000Z', speed: 1 });
  });

  it.each(['before', 'after'])(
    'delivers a webhook that is delayed by a minute after a second at speed 60, set %s the click',
    async (moment) => {
      const { portal, tenant, setSpeed } = await start();
      if (moment === 'before') await setSpeed(60);
      const received: unknown[] = [];
      const receiver = createServer((request, response) => {
        received.push(request.url);
        request.resume().on('end', () => response.writeHead(204).end());
      });
      await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void receiver.close());
      const { port } = receiver.address() as AddressInfo;
      await portal.setActionTarget(tenant.tenancyName, `http://127.0.0.1:${port}/`);
      portal.faults.add({ effect: { kind: 'webhookDelay', delayMs: 60_000 } });
      const key = await mintKey({ tenant, itemId: 1042, roleNames: ['region-north'] });
      const selection = {
        visual: 'revenue-by-region',
        columns: ['Region'],
        points: [['North']],
        filters: [],
      };
      const clicked = await askTenant(tenant.tenantUrl, '/report/1042/actions', {
        method: 'POST',
        headers: { authorization: `ReportKey ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(selection),
      });
      expect(clicked.status).toBe(202);
      if (moment === 'after') await setSpeed(60);
      wait(999);
      expect(received).toEqual([]);
      wait(1);
      const [delivery] = await portal.deliveries.waitFor({ outcome: 'delivered' });
      expect(delivery?.at).toBe('2026-11-20T12:01:00.000Z');
      expect(received).toHaveLength(1);
    },
  );
});
