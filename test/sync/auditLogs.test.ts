import { type AuditCheckpoint, createPortalClient } from '@vitrine/portal-client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fc } from '../support/fc.ts';
import { type SeenRequest, serve } from './support/serve.ts';

interface Row {
  id: string;
  actionType: string;
  timestamp: string;
}

const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();

/** A service with an audit log: newest first, half-open ranges, at most `cap` rows per page. */
const auditService = async (
  options: { cap?: number; now?: () => number; onRequest?: (rows: Row[], count: number) => void } = {},
) => {
  const rows: Row[] = [];
  let sorted: Row[] = [];
  let count = 0;
  const service = await serve(({ query }: SeenRequest) => {
    options.onRequest?.(rows, (count += 1));
    const [from = '', to = ''] = (query.get('dateRange') ?? '0000/9999-12-31').split('/');
    const page = Number(query.get('page') ?? 1);
    const size = Math.min(Number(query.get('pageSize') ?? 50), options.cap ?? 200);
    if (sorted.length !== rows.length)
      sorted = rows
        .toReversed()
        .toSorted((one, other) =>
          one.timestamp < other.timestamp ? 1 : one.timestamp > other.timestamp ? -1 : 0,
        );
    const matching = sorted.filter((row) => row.timestamp >= from && row.timestamp < to);
    return { body: { items: matching.slice((page - 1) * size, page * size), totalCount: matching.length } };
  });
  if (options.now) {
    vi.spyOn(Date, 'now').mockImplementation(options.now);
    onTestFinished(() => void vi.restoreAllMocks());
  }
  const client = createPortalClient({
    baseUrl: service.baseUrl,
    apiKey: 'test-api-key-0123456789',
  });
  onTestFinished(() => client.close());
  return { ...service, client, rows };
};

const write = (rows: Row[], id: number, ms = id) =>
  rows.push({ id: `event-${id}`, actionType: 'UserCreated', timestamp: at(ms) });

/** Follows until `count` records have arrived, and restarts from a saved checkpoint after every `restartEvery`. */
const followUntil = async (
  client: Awaited<ReturnType<typeof auditService>>['client'],
  {
    count,
    restartEvery = Number.POSITIVE_INFINITY,
    from = at(0),
  }: { count: number; restartEvery?: number; from?: string },
) => {
  const ids: string[] = [];
  let checkpoint: AuditCheckpoint | undefined;
  while (ids.length < count) {
    const stop = new AbortController();
    const follower = client.audit.follow({
      from: new Date(from),
      checkpoint,
      signal: stop.signal,
      pollMs: 1,
    });
    let taken = 0;
    for await (const record of follower) {
      ids.push(String(record.id));
      taken += 1;
      if (Number.isFinite(restartEvery)) checkpoint = JSON.parse(JSON.stringify(follower.checkpoint()));
      if (ids.length >= count || taken >= restartEvery) stop.abort();
    }
  }
  return ids;
};

describe('audit.list', () => {
  it('sends a range as two full UTC instants, percent-encoded', async () => {
    const { client, requests } = await auditService();
    await Array.fromAsync(
      client.audit.list({
        userId: 12,
        actionType: 'RoleUpdated',
        from: '2026-01-31',
        to: '2026-02-01T01:00:00+01:00',
      }),
    );
    expect(requests[0]?.url).toBe(
      '/v1/audit-logs?userId=12&actionType=RoleUpdated&dateRange=2026-01-31T00%3A00%3A00.000Z%2F2026-02-01T00%3A00%3A00.000Z&page=1&pageSize=200',
    );
  });

  it('sends no range when none is given, and an explicit limit for an open range', async () => {
    const { client, requests } = await auditService();
    await Array.fromAsync(client.audit.list());
    await Array.fromAsync(client.audit.list({ from: new Date(0) }));
    expect(requests[0]?.query.has('dateRange')).toBe(false);
    expect(requests[1]?.query.get('dateRange')).toBe('1970-01-01T00:00:00.000Z/9999-12-31T00:00:00.000Z');
  });

  it.each(['yesterday', '2026-01-31T08:00:00', '31.01.2026', '', new Date(Number.NaN)])(
    'rejects %s, which is not an unambiguous time',
    async (from) => {
      const { client } = await auditService();
      expect(() => client.audit.list({ from })).toThrow('from');
    },
  );

  it('never requests more than 200 rows per page', async () => {
    const { client, requests } = await auditService();
    await Array.fromAsync(client.audit.list({ pageSize: 5_000 }));
    expect(requests[0]?.query.get('pageSize')).toBe('200');
  });

  it('is complete even if records are written while it is read', async () => {
    const { client, rows } = await auditService({
      onRequest: (log, count) => {
        if (count > 1) write(log, 10_000 + count);
      },
    });
    for (let id = 0; id < 500; id += 1) write(rows, id);
    const read = new Set<string>();
    for await (const record of client.audit.list()) {
      const id = String(record.id);
      expect(read.has(id)).toBe(false);
      read.add(id);
    }
    for (let id = 0; id < 500; id += 1) expect(read.has(`event-${id}`)).toBe(true);
  });

  it('keeps times and other fields as the service has them, and needs an identifier', async () => {
    const row = {
      id: 7,
      actionType: 'Login',
      timestamp: '2026-01-01T01:00:00+01:00',
      details: { any: 'thing' },
    };
    let rows: object[] = [row];
    const service = await serve(() => ({ body: rows }));
    const client = createPortalClient({ baseUrl: service.baseUrl, apiKey: 'test-api-key-0123456789' });
    onTestFinished(() => client.close());
    expect(await Array.fromAsync(client.audit.list())).toEqual([{ ...row, id: '7' }]);
    rows = [{ ...row, id: undefined }];
    await expect(Array.fromAsync(client.audit.list())).rejects.toMatchObject({
      code: 'no_audit_record',
    });
  });
});

describe('audit.follow', () => {
  it('yields existing records, oldest first, and then new ones', async () => {
    const { client, rows } = await auditService({
      onRequest: (log, count) => {
        if (count === 3) write(log, 3);
      },
    });
    for (const id of [0, 1, 2]) write(rows, id);
    expect(await followUntil(client, { count: 4 })).toEqual(['event-0', 'event-1', 'event-2', 'event-3']);
  });

  it('makes one request per poll when one page is enough', async () => {
    const { client, rows, requests } = await auditService();
    write(rows, 0);
    await followUntil(client, { count: 1 });
    expect(requests).toHaveLength(1);
  });

  it('stops without an error when the signal aborts, also during a wait', async () => {
    const { client } = await auditService();
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 20);
    for await (const _ of client.audit.follow({ signal: stop.signal, pollMs: 1 })) expect.unreachable();
    const waiting = new AbortController();
    const options = { signal: waiting.signal, onQuiet: () => setImmediate(() => waiting.abort()) };
    for await (const _ of client.audit.follow({ ...options, pollMs: 3_600_000 })) expect.unreachable();
  });

  it('fails when records have no time', async () => {
    const service = await serve(() => ({ body: { items: [{ id: 1 }], totalCount: 1 } }));
    const client = createPortalClient({ baseUrl: service.baseUrl, apiKey: 'test-api-key-0123456789' });
    onTestFinished(() => client.close());
    const walk = async () => {
      for await (const _ of client.audit.follow({})) expect.unreachable();
    };
    await expect(walk()).rejects.toMatchObject({ code: 'audit_without_time' });
  });

  it.each([{}, null, { version: 2 }, { version: 1, since: 'x', through: 'y', recentIds: [] }])(
    'rejects an invalid checkpoint: %o',
    async (checkpoint) => {
      const { client } = await auditService();
      expect(() => client.audit.follow({ checkpoint: checkpoint as AuditCheckpoint })).toThrow('checkpoint');
    },
  );

  it.each([1, Number.POSITIVE_INFINITY])(
    'skips nothing after a record dated far in the future (checkpoint after every %s)',
    async (restartEvery) => {
      const hourMs = 3_600_000;
      const { client, rows } = await auditService({
        onRequest: (log, count) => {
          // At least a minute ago by the follower's clock.
          if (count >= 3 && count <= 8) write(log, count, -60_000 + count);
        },
      });
      write(rows, 1, -2 * hourMs);
      write(rows, 2, 73 * 365 * 24 * hourMs);
      const ids = await followUntil(client, { count: 8, restartEvery, from: at(-3 * hourMs) });
      expect(ids).toEqual(['event-1', 'event-2', ...[3, 4, 5, 6, 7, 8].map((id) => `event-${id}`)]);
    },
  );

  it('loses and repeats nothing while records arrive, including late ones, over any number of restarts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            beforeRequest: fc.integer({ min: 1, max: 12 }),
            // Up to a minute late: within the two minutes of overlap of every poll.
            lateMs: fc.integer({ min: 0, max: 60_000 }),
            gapMs: fc.integer({ min: 0, max: 40_000 }),
            aheadMs: fc.oneof(
              { weight: 9, arbitrary: fc.constant(0) },
              { weight: 1, arbitrary: fc.integer({ min: 1, max: 1e12 }) },
            ),
          }),
          { minLength: 1, maxLength: 60 },
        ),
        fc.record({
          restartEvery: fc.integer({ min: 1, max: 20 }),
          cap: fc.integer({ min: 2, max: 10 }),
          // How far the follower's clock is behind, or ahead.
          behindMs: fc.integer({ min: -600_000, max: 600_000 }),
        }),
        async (events, { restartEvery, cap, behindMs }) => {
          let clockMs = 60_000;
          let written = 0;
          const pending = events.toSorted((one, other) => one.beforeRequest - other.beforeRequest);
          const { client, close, rows } = await auditService({
            cap,
            now: () => Date.parse(at(clockMs - behindMs)),
            onRequest: (log, count) => {
              while (pending[0] && pending[0].beforeRequest <= count) {
                const { gapMs, lateMs, aheadMs } = pending.shift()!;
                clockMs += gapMs;
                write(log, (written += 1), clockMs - lateMs + aheadMs);
              }
            },
          });
          const ids = await followUntil(client, { count: events.length, restartEvery });
          expect(ids).toHaveLength(rows.length);
          expect(new Set(ids)).toEqual(new Set(rows.map((row) => row.id)));
          await close();
          await client.close();
        },
      ),
      { numRuns: 40 },
    );
  });
});
