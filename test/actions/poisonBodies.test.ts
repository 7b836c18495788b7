import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ActionInbox, sqliteInbox } from '@vitrine/server/actions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mountActions } from './support/mountActions.ts';
import { clickBody, secret } from './support/samples.ts';
import { settled, startDispatch } from './support/startDispatch.ts';

const { metadata } = clickBody();
const bodyWith = (data: string, extra = 'null'): string =>
  `{"metadata":${JSON.stringify(metadata)},"visualData":[{"data":[${data}]}],"extra":${extra}}`;
const pointWith = (value: string): string =>
  `{"identity":[{"equals":${value},"target":{"table":"T","column":"C"}}]}`;
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const listOf = (count: number, item: string): string => `[${Array(count).fill(item).join()}]`;
/** Rows of 60 MiB, of which brotli makes a few hundred bytes. */

/** A host over HTTP, whose handler notes the values that it gets. */
const startHost = async (inbox?: ActionInbox) => {
  const handled: unknown[] = [];
  const host = startDispatch(
    ({ rows }) => {
      handled.push(...rows.map(({ identity }) => identity[0]?.value));
    },
    {},
    inbox && { inbox },
  );
  const server = createServer(mountActions(host.actions)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const post = async (body: string | Buffer, encoding?: string): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/embed/webhook`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, ...(encoding && { 'content-encoding': encoding }) },
      body: new Uint8Array(Buffer.from(body)),
    });
    return response.status;
  };
  return { ...host, handled, post };
};

const odd: readonly [string, string | Buffer, number][] = [
  ['a number of 80,000 digits', bodyWith(pointWith(`1${'0'.repeat(80_000)}1`)), 1],
  ['a number of 400,000 digits in a field that is not read', bodyWith('', `1${'0'.repeat(400_000)}1`), 1],
  ['a fraction of 400,000 digits', bodyWith(pointWith(`1e9${'0'.repeat(400_000)}`)), 1],
  ['arrays that are nested 100,000 levels deep', bodyWith(pointWith(nested(100_000))), 0],
  ['arrays that are nested 9,000 levels deep', bodyWith(pointWith(nested(9000))), 0],
  ['objects that are nested deeply', bodyWith('{"a":'.repeat(50_000)), 0],
  ['a million points', bodyWith('{},'.repeat(1_000_000)), 0],
  ['a million small numbers', bodyWith('', listOf(1_000_000, '0')), 0],
];

describe('a body that could block or end the process', () => {
  it.each(odd)('is stored, and stops no other action: %s', async (_, body, done) => {
    const { post, inbox, diagnostics, handled, states } = await startHost();
    expect([await post(body), await post(bodyWith(pointWith('"North"')))]).toEqual([202, 202]);
    await settled(states);
    expect(handled).toContain('North');
    expect(await states()).toMatchObject({ done: 1 + done, parked: 1 - done });
    for (const { lastError } of await inbox.list({ states: ['parked'], limit: 1 }))
      expect(lastError).toMatch(/^The body .*\.$|^Maximum call stack size exceeded$/);
    expect(diagnostics.filter(({ message }) => message.length > 1000)).toEqual([]);
  });

  it.each([
    ['a report ID', { reportId: '5'.repeat(2_000_000) }],
    ['a user ID', { currentUser: 'x'.repeat(2_000_000) as never }],
  ])(
    'is cut when %s has two million characters, which messages and caches would repeat',
    async (_, changes) => {
      const lengths: number[] = [];
      const { deliver, states } = startDispatch(
        ({ reportId, currentUser }) => void lengths.push(reportId.length, String(currentUser).length),
      );
      await deliver(clickBody(changes));
      await settled(states);
      expect(Math.max(...lengths)).toBe(256);
    },
  );
});

describe('an unusual body within the limits', () => {
  it.each([
    ['an integer of 1,000 digits', '9'.repeat(1000), '9'.repeat(1000)],
    ['an exponent that no double holds', '1e400000', '1e400000'],
    ['an exponent close to zero', '1e-400000', 0],
    ['a long fraction', `0.${'3'.repeat(900)}`, 1 / 3],
    ['the digits of a string', `"${'1'.repeat(400_000)}"`, '1'.repeat(400_000)],
    ['brackets in a string', `"${'[{'.repeat(400_000)}\\""`, `${'[{'.repeat(400_000)}"`],
    ['arrays that are nested 50 levels deep', nested(50), nested(50)],
  ])('reaches the handler: %s', async (_, value, expected) => {
    const { post, handled, states } = await startHost();
    expect(await post(bodyWith(pointWith(value)))).toBe(202);
    await settled(states);
    expect(handled).toEqual([expected]);
  });

  it('reaches the handler: 5 MiB of long numbers', async () => {
    const { post, handled, states } = await startHost();
    const digits = `1${'0'.repeat(990)}1.0`;
    const points = Array(4500).fill(pointWith(digits)).join();
    expect(await post(bodyWith(points))).toBe(202);
    await settled(states);
    expect(handled).toEqual(Array(4500).fill(digits));
  });

  it('reaches the handler: 30,000 points with a column and a measure each', async () => {
    const { post, handled, states } = await startHost();
    const measure = '{"value":1,"target":{"table":"T","measure":"M"},"formattedValue":"1"}';
    const point = `{"identity":[{"equals":"A","target":{"table":"T","column":"C"}}],"values":[${measure}]}`;
    expect(await post(bodyWith(Array(30_000).fill(point).join()))).toBe(202);
    await settled(states);
    expect(handled).toHaveLength(30_000);
  });
});

describe('a delivery whose attempts all ended with the process', () => {
  it('is a dead letter without another look at its body', async () => {
    const inbox = sqliteInbox(':memory:');
    await inbox.append({ raw: Buffer.from('{"this body": "ends the process'), receivedAtMs: Date.now() });
    for (let attempt = 1; attempt <= 8; attempt += 1) await inbox.claim({ limit: 1, leaseMs: 0 });
    const { states, diagnostics } = await startHost(inbox);
    await settled(states);
    expect(await inbox.list({ limit: 1 })).toMatchObject([
      { state: 'dead', lastError: expect.stringContaining('the process was killed') },
    ]);
    expect(diagnostics).toMatchObject([
      { kind: 'dead', deliveryId: '1', message: expect.stringContaining('failed 8 times') },
    ]);
  });
});
