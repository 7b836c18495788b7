import { VitrineOptionsError } from '@vitrine/server';
import type { ActionInbox, ClaimedDelivery, InboxChange, NewDelivery, Outcome } from '../actionInbox.ts';
import { createMicroBatch } from '../microBatch.ts';
import type { StoreNews } from '../sqlite/messages.ts';
import { appendDeliveries } from './appendDeliveries.ts';
import { createChangeListener } from './changeListener.ts';
import { createOperatorQueries } from './operatorQueries.ts';
import { createPostgresConnection, type OpenedPostgres } from './postgresConnection.ts';
import { checkPostgresOptions, type PostgresInboxOptions } from './postgresInboxOptions.ts';
import type { PostgresPool } from './postgresPool.ts';
import { deliveryColumns, toDelivery, toJsonb } from './postgresRows.ts';
import { isPlainName } from './postgresSchema.ts';
import { settleDeliveries } from './settleDeliveries.ts';
import { createSpillWhileAway } from './spillWhileAway.ts';

const dayMs = 24 * 60 * 60 * 1000;
const maxBatch = 512;
const listenAgainMs = 1000;
const minConnections = 3;
const isPool = (value: unknown): value is PostgresPool =>
  typeof value === 'object' && value !== null && 'connect' in value;

/**
 * The inbox for hosts that run several processes or machines: deliveries in Postgres, dispatch by pg-boss, and news of both
 * over LISTEN/NOTIFY, so that an action reaches a viewer whose stream another process holds. Needs the packages `pg` and
 * `pg-boss`, and a connection that is not pooled by transaction.
 *
 * @param connection A connection string, or a `pg.Pool` of the host with three connections at least, which stays the host's to end.
 * @throws VitrineOptionsError `missing_inbox_connection`, `inbox_pool_too_small`, `invalid_inbox_schema`, `unknown_option`. A database that cannot be reached
 * rejects the first call.
 */
export const postgresInbox = (
  connection: string | PostgresPool,
  options: PostgresInboxOptions = {},
): ActionInbox => {
  checkPostgresOptions(options);
  const { schema = 'vitrine', duplicateWindowMs = dayMs, leaseMs = 60_000, now = Date.now } = options;
  const onError = options.onError ?? (() => undefined);
  if (connection === '' || (typeof connection !== 'string' && !isPool(connection)))
    throw new VitrineOptionsError(
      'missing_inbox_connection',
      'postgresInbox needs a connection string such as "postgres://host/database", or a pg.Pool.',
    );
  const most = typeof connection === 'string' ? minConnections : (connection.options?.max ?? minConnections);
  if (most < minConnections)
    throw new VitrineOptionsError(
      'inbox_pool_too_small',
      `The pool of postgresInbox has at most ${most} connections. It needs ${minConnections}, or it would wait for itself: one listens, one holds a transaction, one asks beside it. Raise the pool's "max".`,
    );
  if (!isPlainName(schema))
    throw new VitrineOptionsError(
      'invalid_inbox_schema',
      `"${schema}" cannot name the inbox's schema: use lower-case letters, digits and underscores.`,
    );
  const channel = `${schema}_actions`;
  const listeners = new Set<(change: InboxChange) => void>();
  const newsListeners = new Set<(news: StoreNews) => void>();
  let closing: Promise<void> | undefined;
  let stopListening: (() => void) | undefined;

  const onChange = (change: InboxChange): void => {
    for (const listener of listeners) listener(change);
  };
  const database = createPostgresConnection({ connection, schema, leaseMs, now, onError });
  const opened = (): Promise<OpenedPostgres> =>
    closing ? Promise.reject(new Error('The action inbox is closed.')) : database.opened();
  const query: typeof database.query = async (sql, values) => {
    await opened();
    return database.query(sql, values);
  };

  const questions = createOperatorQueries({ database: { opened, query }, schema, channel });

  const store = async (deliveries: readonly NewDelivery[], spillKeys?: readonly string[]) => {
    const { pool, queue } = await database.opened();
    const batch = { pool, queue, schema, channel, duplicateWindowMs, deliveries };
    return appendDeliveries(spillKeys ? { ...batch, spillKeys } : batch);
  };
  const spill = createSpillWhileAway({
    folder: options.spillFolder,
    append: store,
    async takeHome(deliveries) {
      for (let at = 0; at < deliveries.length; at += maxBatch) {
        const part = deliveries.slice(at, at + maxBatch);
        const flat = part.map(({ notes, ...delivery }) => ({ ...delivery, ...notes }));
        await store(
          flat,
          part.map(({ key }) => key),
        );
      }
    },
    tell(news) {
      for (const listener of newsListeners) listener(news);
    },
  });
  const appends = createMicroBatch(
    (deliveries: readonly NewDelivery[]) => spill.append(deliveries),
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

  /** Hears of changes from the first watcher on. A database that is away then is asked again, as the listener itself does. */
  const listen = (): void => {
    if (stopListening || closing) return;
    let isStopped = false;
    stopListening = () => {
      isStopped = true;
    };
    const begin = async (): Promise<void> => {
      try {
        const { pool } = await opened();
        if (isStopped) return;
        const changes = createChangeListener({ pool, channel, onChange });
        stopListening = () => changes.stop();
      } catch (error) {
        onError(error);
        if (!isStopped) setTimeout(() => void begin(), listenAgainMs).unref();
      }
    };
    void begin();
  };

  return {
    leaseMs,
    async append(delivery) {
      if (closing) throw new Error('The action inbox is closed.');
      spill.start();
      return appends.add(delivery);
    },
    async claim({ limit }) {
      const { queue } = await opened();
      spill.start();
      const jobs = await queue.fetch(limit);
      if (jobs.length === 0) return [];
      const { rows } = await query(
        `update ${schema}.deliveries d set attempts = attempts + 1, due_at = $2, lease = floor(random() * 2 ^ 52)::bigint
         where id = any($1) and state = 'pending' returning ${deliveryColumns}, d.lease::text`,
        [jobs.map(({ deliveryId }) => deliveryId), now() + leaseMs],
      );
      const found = new Map(
        rows.map((row) => [String(row['id']), { ...toDelivery(row), lease: String(row['lease']) }]),
      );
      const unneeded = jobs.filter(({ deliveryId }) => !found.has(deliveryId)).map(({ jobId }) => jobId);
      if (unneeded.length > 0) await queue.complete(unneeded);
      return jobs.flatMap(({ jobId, deliveryId }) => {
        const delivery = found.get(deliveryId);
        return delivery ? [{ ...delivery, lease: `${delivery.lease}:${jobId}` }] : [];
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
        [deliveryId, key, value === undefined ? null : toJsonb(value)],
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
      listen();
      return () => void listeners.delete(listener);
    },
    hear(listener) {
      newsListeners.add(listener);
      return () => void newsListeners.delete(listener);
    },
    list: questions.list,
    replay: questions.replay,
    prune: questions.prune,
    async health() {
      const { isSpilling } = spill;
      try {
        return { canPersist: !isSpilling, isSpilling, counts: await questions.counts() };
      } catch {
        return { canPersist: false, isSpilling, counts: { pending: 0, done: 0, parked: 0, dead: 0 } };
      }
    },
    close() {
      closing ??= (async () => {
        await appends.drain();
        await settles.drain();
        listeners.clear();
        stopListening?.();
        spill.stop();
        await database.close();
      })();
      return closing;
    },
  };
};
