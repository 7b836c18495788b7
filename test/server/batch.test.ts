import type { IncomingMessage } from 'node:http';
import { maxKeysPerRequest } from '@vitrine/contract';
import { createNodeHandler, type KeyAuditRecord, type VitrineOptions } from '@vitrine/server';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { serveUntilEnd } from '../support/serveUntilEnd.ts';
import {
  connectionTo,
  envelopeOf,
  refusalOf,
  type StandInPortal,
  startStandInPortal,
} from '../support/standInPortal.ts';

let portal: StandInPortal;
beforeEach(async () => {
  portal = await startStandInPortal();
});
afterEach(() => portal.close());

const start = async (options: Partial<VitrineOptions<IncomingMessage>> = {}) => {
  const audited: KeyAuditRecord[] = [];
  const handler = createNodeHandler({
    portal: connectionTo(portal.url),
    viewer: () => ({ userId: 'north' }),
    canView: () => true,
    audit: (record) => void audited.push(record),
    logger: false,
    ...options,
  });
  onTestFinished(() => handler.close());
  const url = await serveUntilEnd(handler);
  const ask = async (body: unknown, signal: AbortSignal | null = null) => {
    const response = await fetch(`${url}/api/embed/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-vitrine-request': '1' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      signal,
    });
    return { status: response.status, body: await response.json() };
  };
  return { ask, audited };
};

const numbers = (count: number) => Array.from({ length: count }, (_, n) => 1000 + n);

describe('several keys in one request', () => {
  it('get one result each, in the order of the request', async () => {
    portal.answer = (call) => {
      const { reportId } = JSON.parse(call.body).value;
      return reportId === 9999
        ? { status: 404, body: refusalOf(404, 'No item.') }
        : { body: envelopeOf(`key-of-${reportId}`) };
    };
    const { ask, audited } = await start({ canView: (_, itemId) => itemId !== 7 });
    const { status, body } = await ask({ itemIds: [1042, 7, 9999, 1043] });
    expect(status).toBe(200);
    const one = await ask({ itemId: 1042 });
    expect(body.results).toMatchObject([
      {
        itemId: 1042,
        key: { ...one.body, expiresAt: expect.any(String), lifetimeMs: expect.any(Number) },
      },
      { itemId: 7, problem: { code: 'report_unavailable', status: 404 } },
      { itemId: 9999, problem: { code: 'report_unavailable', status: 404 } },
      { itemId: 1043, key: { itemId: 1043, key: 'key-of-1043' } },
    ]);
    // Only their numbers distinguish a forbidden report from a missing one.
    expect(body.results[1].problem).toEqual(body.results[2].problem);
    // One record per key: the batch itself has none.
    expect(audited).toHaveLength(5);
    expect(audited.slice(0, 4).map(({ itemId, outcome }) => [itemId, outcome])).toEqual(
      expect.arrayContaining([
        [1042, 'issued'],
        [7, 'report_unavailable'],
        [9999, 'report_unavailable'],
        [1043, 'issued'],
      ]),
    );
  });

  it('call canView for each', async () => {
    const asked: number[] = [];
    const { ask } = await start({ canView: (_, itemId) => asked.push(itemId) > 0 });
    await ask({ itemIds: [1, 2, 3] });
    expect(asked).toEqual([1, 2, 3]);
  });

  it('count separately against the rate limit, and are issued until it is reached', async () => {
    const { ask } = await start({ rateLimit: { perViewer: { points: 5, durationSeconds: 60 } } });
    const { status, body } = await ask({ itemIds: numbers(7) });
    expect(status).toBe(200);
    const outcomes = body.results.map((result: { problem?: { code: string } }) => result.problem?.code);
    expect(outcomes).toEqual([...Array.from({ length: 5 }), 'rate_limited', 'rate_limited']);
    expect(await ask({ itemId: 1042 })).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(portal.calls).toHaveLength(5);
  });

  it(`may number ${maxKeysPerRequest} at most`, async () => {
    const { ask } = await start();
    const { body } = await ask({ itemIds: numbers(maxKeysPerRequest) });
    expect(body.results).toHaveLength(maxKeysPerRequest);
    expect(await ask({ itemIds: numbers(maxKeysPerRequest + 1) })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  });

  it.each([
    [{ itemIds: [] }, 'invalid_request'],
    [{ itemIds: 1042 }, 'invalid_request'],
    [{ itemIds: [1042, '1043'] }, 'invalid_item_id'],
    [{ itemIds: [1042, 0] }, 'invalid_item_id'],
    [{ itemIds: [1042], userId: 'other' }, 'invalid_request'],
    [{ itemIds: [1042], itemId: 1042 }, 'invalid_request'],
  ])('are rejected as %j', async (body, code) => {
    const { ask } = await start();
    expect(await ask(body)).toMatchObject({ status: 400, body: { code } });
    expect(portal.calls).toHaveLength(0);
  });

  it('are aborted at the portal when the viewer leaves', async () => {
    const [arrived, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let [open, aborted] = [0, 0];
    portal.answer = (call) => {
      open += 1;
      if (open === 20) arrived.resolve();
      call.onClose(() => {
        aborted += 1;
        if (aborted === 20) closed.resolve();
      });
      return new Promise(() => undefined);
    };
    // A deadline would also end the calls, and hide calls that are not aborted.
    const { ask, audited } = await start({ upstream: { attemptTimeoutMs: 60_000, totalTimeoutMs: 120_000 } });
    const leaving = new AbortController();
    const answer = ask({ itemIds: numbers(20) }, leaving.signal);
    await arrived.promise;
    leaving.abort();
    await expect(answer).rejects.toThrow('aborted');
    await closed.promise;
    expect(aborted).toBe(20);
    await vi.waitUntil(() => audited.length === 20, { timeout: 20_000 });
    expect(new Set(audited.map(({ outcome }) => outcome))).toEqual(new Set(['aborted']));
  });
});

describe('a body without a key request', () => {
  const only =
    'The body must contain only "itemId" or "itemIds". The server decides who the viewer is and which roles apply.';
  it.each([
    ['{', 'The body must be a JSON object such as {"itemId":1042}.'],
    ['{"itemId":\uFEFF1042}', 'The body must be a JSON object such as {"itemId":1042}.'],
    [[1042], 'The body must be a JSON object such as {"itemId":1042}.'],
    [{ userId: 'north' }, 'The body lacks "itemId", the ID of the report.'],
    [{ itemId: 1042, userId: 'north' }, only],
    [{ itemId: 0 }, '"itemId" must be a positive whole number, such as 1042.'],
    [{ itemIds: [] }, `"itemIds" must be an array of 1 to ${maxKeysPerRequest} item IDs.`],
    [{ itemIds: [0] }, '"itemIds" must contain only positive whole numbers, such as [1042, 1043].'],
    [{ itemIds: numbers(1000) }, 'The body of a key request must not exceed 2,048 bytes.'],
  ])('is answered with an explanation: %j', async (body, detail) => {
    const { ask } = await start();
    expect((await ask(body)).body.detail).toBe(detail);
    expect(portal.calls).toHaveLength(0);
  });
});
