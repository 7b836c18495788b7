import { createFetchHandler, type RateLimit, type SharedLimiter } from '@vitrine/server';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { keyRequest, viewerByHeader } from '../support/keyRequest.ts';
import { recordLog } from '../support/recordLog.ts';
import { connectionTo, type StandInPortal, startStandInPortal } from '../support/standInPortal.ts';

let portal: StandInPortal;
beforeEach(async () => {
  portal = await startStandInPortal();
});
afterEach(() => portal.close());

const mount = (rateLimit: RateLimit | SharedLimiter | undefined, tenancyName = 'acme') => {
  const logger = recordLog();
  const handler = createFetchHandler({
    portal: { ...connectionTo(portal.url), tenantUrl: `https://${tenancyName}.portal.example`, tenancyName },
    viewer: viewerByHeader,
    canView: () => true,
    logger,
    ...(rateLimit === undefined ? {} : { rateLimit }),
  });
  onTestFinished(() => handler.close());
  const ask = async (user: string) => {
    const response = await handler(keyRequest(1042, user));
    return {
      status: response.status,
      wait: response.headers.get('retry-after'),
      body: await response.json(),
    };
  };
  return { ask, lines: logger.lines };
};

const statuses = async (ask: (user: string) => Promise<{ status: number }>, users: readonly string[]) => {
  const seen: number[] = [];
  for (const user of users) seen.push((await ask(user)).status);
  return seen;
};

describe('the rate limit', () => {
  it('counts each viewer separately, and returns the wait time', async () => {
    const { ask } = mount({ points: 2, durationSeconds: 60 });
    expect(await statuses(ask, ['a', 'a', 'a', 'b'])).toEqual([200, 200, 429, 200]);
    const refused = await ask('a');
    expect(refused.body).toMatchObject({ code: 'rate_limited', status: 429 });
    expect(refused.body.retryAfterMs).toBeGreaterThan(0);
    expect(Number(refused.wait)).toBeLessThanOrEqual(60);
    expect(portal.calls).toHaveLength(3);
  });

  it('separates tenants of two portals, even with the same name', async () => {
    const other = await startStandInPortal();
    onTestFinished(() => other.close());
    const portals = { a: connectionTo(portal.url), b: connectionTo(other.url) };
    const handler = createFetchHandler({
      portal: (request: Request) => portals[request.headers.get('x-user') === 'a' ? 'a' : 'b'],
      viewer: () => ({ userId: 'the-same' }),
      canView: () => true,
      logger: false,
      rateLimit: { points: 1, durationSeconds: 60 },
    });
    onTestFinished(() => handler.close());
    const ask = async (user: string) => ({ status: (await handler(keyRequest(1042, user))).status });
    expect(await statuses(ask, ['a', 'b', 'a', 'b'])).toEqual([200, 200, 429, 429]);
  });

  it('is 120 per minute and viewer by default', async () => {
    const { ask } = mount(undefined);
    const answers = await Promise.all(Array.from({ length: 121 }, () => ask('a')));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
  });

  it('is shared by processes with the same limiter', async () => {
    const limiter = new RateLimiterMemory({ points: 2, duration: 60 });
    const [one, other] = [mount(limiter), mount(limiter)];
    expect(await statuses(one.ask, ['a'])).toEqual([200]);
    expect(await statuses(other.ask, ['a', 'a'])).toEqual([200, 429]);
  });

  it('separates tenants with the same limiter', async () => {
    const limiter = new RateLimiterMemory({ points: 1, duration: 60 });
    const [acme, globex] = [mount(limiter), mount(limiter, 'globex')];
    expect(await statuses(acme.ask, ['a'])).toEqual([200]);
    expect(await statuses(globex.ask, ['a'])).toEqual([200]);
  });

  it('counts in the insuranceLimiter while its shared store fails', async () => {
    const insuranceLimiter = new RateLimiterMemory({ points: 3, duration: 60 });
    const storeClient = { rlflxIncr: () => Promise.reject(new Error('connect ECONNREFUSED')) };
    const limiter = new RateLimiterRedis({ storeClient, points: 3, duration: 60, insuranceLimiter });
    const { ask } = mount(limiter);
    expect(await statuses(ask, ['a', 'a', 'a', 'a'])).toEqual([200, 200, 200, 429]);
  });

  it('opens nothing while its shared store fails without one, and the operator is told', async () => {
    const refused = new Error('connect redis://app:Hn4pass@10.0.0.9 ECONNREFUSED');
    const broken: SharedLimiter = { consume: () => Promise.reject(refused) };
    const { ask, lines } = mount(broken);
    expect(await ask('a')).toMatchObject({ status: 500, body: { code: 'internal_error' } });
    expect(lines).toMatchObject([
      { level: 'error', fields: { problem: expect.stringContaining('rateLimit.consume() threw') } },
    ]);
    expect(JSON.stringify(lines)).not.toContain('Hn4pass');
    expect(portal.calls).toHaveLength(0);
  });

  it('opens nothing while its shared store does not respond', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const asked = Promise.withResolvers<void>();
    const silent: SharedLimiter = {
      consume: () => {
        asked.resolve();
        return new Promise(() => undefined);
      },
    };
    const { ask, lines } = mount(silent);
    const answer = ask('a');
    await asked.promise;
    await vi.advanceTimersByTimeAsync(5000);
    expect((await answer).status).toBe(500);
    expect(lines[0]?.fields['problem']).toContain('rateLimit.consume() took longer than');
    expect(portal.calls).toHaveLength(0);
  });
});
