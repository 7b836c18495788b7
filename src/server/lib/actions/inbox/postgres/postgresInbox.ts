import { VitrineOptionsError } from '../../../options/optionsError.ts';
import type { ActionInbox, ClaimedDelivery, InboxChange, Outcome } from '../actionInbox.ts';
import { createMicroBatch } from '../microBatch.ts';
import { appendDeliveries } from './appendDeliveries.ts';
import { type BossQueue, openBossQueue } from './bossQueue.ts';
import { createChangeListener } from './changeListener.ts';
import { inTransaction, type PostgresPool } from './postgresPool.ts';
import { deliveryColumns, filterCondition, toDelivery } from './postgresRows.ts';
import { isPlainName, postgresSchema } from './postgresSchema.ts';
import { settleDeliveries } from './settleDeliveries.ts';

/** Options of {@link postgresInbox}. */
export interface PostgresInboxOptions {
  /** Schema of the inbox's tables; pg-boss gets one of its own beside it, `<schema>_queue`. Default: `vitrine`. */
  readonly schema?: string;
  /** How long the same bytes count as a duplicate, in milliseconds. Default: 24 hours. */
  readonly duplicateWindowMs?: number;
  /** Lease of a delivery, in milliseconds: longer than `timeoutMs` of the dispatcher. Default: 60 seconds. */
  readonly leaseMs?: number;
  /** Hears of errors outside of any call, such as a lost connection. Default: nobody, because calls fail too. */
  readonly onError?: (error: unknown) => void;
  /** The present moment in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

interface Opened {
  readonly pool: PostgresPool;
  readonly queue: BossQueue;
}

const dayMs = 24 * 60 * 60 * 1000;
const maxBatch = 512;
const isPool = (value: unknown): value is PostgresPool =>
  typeof value === 'object' && value !== null && 'connect' in value;

/**
 * The inbox for hosts that run several processes or machines: deliveries in Postgres, dispatch by pg-boss, and news of both
 * over LISTEN/NOTIFY, so that an action reaches a viewer whose stream another process holds. Needs the packages `pg` and
 * `pg-boss`, and a connection that is not pooled by transaction.
 *
 * @param connection A connection string, or a `pg.Pool` of the host, which stays the host's to end.
 * @throws VitrineOptionsError `missing_inbox_connection`, `invalid_inbox_schema`. A database that cannot be reached
 * rejects the first call.
 */
export const postgresInbox = (
  connection: string | PostgresPool,
  options: PostgresInboxOptions = {},
): ActionInbox => {
  const { schema = 'vitrine', duplicateWindowMs = dayMs, leaseMs = 60_000, now = Date.now } = options;
  const onError = options.onError ?? (() => undefined);
  if (connection === '' || (typeof connection !== 'string' && !isPool(connection)))
    throw new VitrineOptionsError(
      'missing_inbox_connection',
      'postgresInbox needs a connection string such as "postgres://host/database", or a pg.Pool.',
    );
  if (!isPlainName(schema))
    throw new VitrineOptionsError(
      'invalid_inbox_schema',
      `"${schema}" cannot name the inbox's schema: use lower-case letters, digits and underscores.`,
    );
  const channel = `${schema}_actions`;
  const listeners = new Set<(change: InboxChange) => void>();
  let opening: Promise<Opened> | undefined;
  let closing: Promise<void> | undefined;
  let stopListening: (() => void) | undefined;

  const onChange = (change: InboxChange): void => {
    for (const listener of listeners) listener(change);
  };

  const createPool = async (): Promise<PostgresPool> => {
    if (typeof connection !== 'string') return connection;
    const { Pool } = (await import('pg')).default;
    const pool = new Pool({ connectionString: connection, max: 12 });
    pool.on('error', onError);
    return pool;
  };

  const open = async (): Promise<Opened> => {
    const pool = await createPool();
    try {
      const queue = await inTransaction(pool, async (client) => {
        // Several processes may start at once, and `create … if not exists` alone is no match for that.
        await client.query('select pg_advisory_xact_lock(hashtext($1))', [`${schema} schema`]);
        await client.query(postgresSchema(schema, now()));
        return openBossQueue({ pool, schema: `${schema}_queue`, leaseMs, onError });
      });
      return { pool, queue };
    } catch (error) {
      if (pool !== connection) await pool.end();
      throw error;
    }
  };

  const opened = (): Promise<Opened> => {
    if (closing) return Promise.reject(new Error('The action inbox is closed.'));
    opening ??= open().catch((error: unknown) => {
      // The next call tries again: a database that starts later than the host is nothing special.
      opening = undefined;
      throw error;
    });
    return opening;
  };

  const appends = createMicroBatch(
    async (deliveries: Parameters<typeof appendDeliveries>[0]['deliveries']) => {
      const { pool, queue } = await opened();
      return appendDeliveries({ pool, queue, schema, channel, duplicateWindowMs, deliveries });
    },
    maxBatch,
  );
  const settles = createMicroBatch(
    async (settled: readonly { readonly claimed: ClaimedDelivery; readonly outcome: Outcome }[]) => {
      const { pool, queue } = await opened();
      await settleDeliveries({ pool, queue, schema, channel, nowMs: now(), settled });
      return settled.map(() => undefined);
    },
    maxBatch,
  );

  const query = async (sql: string, values: readonly unknown[] = []) =>
    (await opened()).pool.query(sql, values);

  return {
    async append(delivery) {
      await opened();
      return appends.add(delivery);
    },
    async claim({ limit }) {
      const { queue } = await opened();
      const jobs = await queue.fetch(limit);
      if (jobs.length === 0) return [];
      const { rows } = await query(
        `update ${schema}.deliveries d set attempts = attempts + 1, due_at = $2
         where id = any($1) and state = 'pending' returning ${deliveryColumns}`,
        [jobs.map(({ deliveryId }) => deliveryId), now() + leaseMs],
      );
      const found = new Map(rows.map((row) => [String(row['id']), toDelivery(row)]));
      const unneeded = jobs.filter(({ deliveryId }) => !found.has(deliveryId)).map(({ jobId }) => jobId);
      if (unneeded.length > 0) await queue.complete(unneeded);
      return jobs.flatMap(({ jobId, deliveryId }) => {
        const delivery = found.get(deliveryId);
        return delivery ? [{ ...delivery, lease: `${delivery.attempts}:${jobId}` }] : [];
      });
    },
    async settle(claimed, outcome) {
      await settles.add({ claimed, outcome });
    },
    async effect(deliveryId, key) {
      const { rows } = await query(
        `select value from ${schema}.effects where delivery_id = $1 and key = $2`,
        [deliveryId, key],
      );
      return rows[0] ? { value: rows[0]['value'] ?? undefined } : undefined;
    },
    async noteEffect(deliveryId, { key, value }) {
      await query(
        `insert into ${schema}.effects (delivery_id, key, value) values ($1, $2, $3) on conflict do nothing`,
        [deliveryId, key, value === undefined ? null : JSON.stringify(value)],
      );
    },
    async publications(after, limit) {
      const { rows } = await query(
        `select p.cursor, p.published_at, p.reply, ${deliveryColumns}
         from ${schema}.publications p join ${schema}.deliveries d on d.id = p.delivery_id
         where p.cursor > $1 order by p.cursor limit $2`,
        [after, limit],
      );
      return rows.map((row) => ({
        cursor: Number(row['cursor']),
        publishedAtMs: Number(row['published_at']),
        reply: row['reply'] ?? undefined,
        delivery: toDelivery(row),
      }));
    },
    async lastCursor() {
      const { rows } = await query(`select coalesce(max(cursor), 0) as cursor from ${schema}.publications`);
      return Number(rows[0]?.['cursor'] ?? 0);
    },
    watch(listener) {
      listeners.add(listener);
      if (!stopListening)
        void opened()
          .then(({ pool }) => {
            if (closing || stopListening) return;
            const changes = createChangeListener({ pool, channel, onChange });
            stopListening = () => changes.stop();
          })
          .catch(onError);
      return () => void listeners.delete(listener);
    },
    async list(filter) {
      const { sql, values } = filterCondition(filter);
      const order = filter.from === undefined ? 'desc' : 'asc';
      const { rows } = await query(
        `select ${deliveryColumns} from ${schema}.deliveries d ${sql} order by d.id ${order} limit ${Math.trunc(filter.limit)}`,
        values,
      );
      return rows.map(toDelivery);
    },
    async replay(filter) {
      const { pool, queue } = await opened();
      const { sql, values } = filterCondition(filter);
      return inTransaction(pool, async (client) => {
        const { rows } = await client.query(
          `update ${schema}.deliveries d set state = 'pending', attempts = 0, settled_at = null ${sql} returning d.id`,
          values,
        );
        if (rows.length > 0) {
          await queue.send(
            client,
            rows.map((row) => ({ id: String(row['id']), dueAtMs: 0 })),
          );
          await client.query('select pg_notify($1, $2)', [channel, 'appended']);
        }
        return rows.length;
      });
    },
    async prune(settledBeforeMs) {
      // The newest publication stays, because it says where the log ends.
      const { rowCount } = await query(
        `delete from ${schema}.deliveries where state = 'done' and settled_at < $1
         and id not in (select delivery_id from ${schema}.publications order by cursor desc limit 1)`,
        [settledBeforeMs],
      );
      return rowCount ?? 0;
    },
    async health() {
      const counts = { pending: 0, done: 0, parked: 0, dead: 0 };
      try {
        const { rows } = await query(
          `select state, count(*)::int as count from ${schema}.deliveries group by state`,
        );
        for (const row of rows) Object.assign(counts, { [String(row['state'])]: row['count'] });
        return { canPersist: true, isSpilling: false, counts };
      } catch {
        return { canPersist: false, isSpilling: false, counts };
      }
    },
    close() {
      closing ??= (async () => {
        await appends.drain();
        await settles.drain();
        listeners.clear();
        stopListening?.();
        const parts = await opening?.catch(() => undefined);
        await parts?.queue.stop();
        if (typeof connection === 'string') await parts?.pool.end();
      })();
      return closing;
    },
  };
};
