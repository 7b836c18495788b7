import { randomUUID } from 'node:crypto';
import { sha256 } from '../../sha256.ts';
import {
  type ClaimRequest,
  type DeliveryCounts,
  type DeliveryFilter,
  type DeliveryState,
  deliveryStates,
  maxCount,
  type NewDelivery,
  type PublishedAction,
  type Settlement,
} from '../actionInbox.ts';
import { cleanText, deliveryColumns, toDelivery } from './deliveryColumns.ts';
import { insertDeliveries } from './insertDeliveries.ts';
import type { Query, SqlDriver, SqlRow } from './sqlDriver.ts';

/** The inbox's operations in SQL, with plain data only, so that it can run in a worker thread. */
export type SqlStore = ReturnType<typeof createSqlStore>;

/** Maximum total size of bodies in one page of publications, in bytes. */
const maxPageBytes = 4 * 1024 * 1024;
const hourMs = 3_600_000;

/** A publication is only compared with so many before it; a viewer gets no more of them at once. */
const comparedPublications = 2048;

/** The stored form of an effect key: Postgres cannot index long text and rejects some characters. */
const storedKey = (key: string): string => sha256(JSON.stringify(key)).toString('hex');

const rangeOf = ({ from = '0', to = '9223372036854775807', limit }: DeliveryFilter) => [from, to, limit];

/** Written by `settle`. */
const publicationOf = (row: SqlRow) => JSON.parse(String(row['publication'])) as PublishedAction;

/** Combines selections of IDs, each with its own order and limit. */
const unionOf = (choices: readonly string[]): string =>
  choices.map((choice, n) => `select id from (${choice}) as choice_${n}`).join(' union all ');

/** Creates the store over a database. `windowMs` is how long the same bytes count as a duplicate. */
export const createSqlStore = (driver: SqlDriver, windowMs = 24 * hourMs) => {
  const { query, transaction, schema, skipLocked } = driver;
  const deliveries = `${schema}.deliveries`;
  /** Takes the parameters of {@link rangeOf}. One selection per state, because the index starts with the state. */
  const idsIn = (states: readonly DeliveryState[], order: 'asc' | 'desc'): string => {
    const range = `id >= $1 and id <= $2 order by id ${order} limit $3`;
    return unionOf(
      states.map((state) => `select id from ${deliveries} where state = '${state}' and ${range}`),
    );
  };

  /** Gives a publication its place, and says for whom a newer one came first: handlers end in any order. */
  const place = async (run: Query, id: string, publish: PublishedAction) => {
    // Locks the row until the commit, so that cursors grow in the order of commits.
    const next = `update ${schema}.meta set value = value + 1 where key = 'cursor' returning value`;
    const [row] = await run(next);
    const cursor = Number(row?.['value']);
    const sql = `select publication from ${deliveries} where cursor > $1 and id > $2`;
    const newer = (await run(sql, [cursor - comparedPublications, id])).map(publicationOf);
    const ofReport = newer.filter(({ itemId }) => itemId === publish.itemId);
    const shownTo = new Set(ofReport.flatMap(({ audience }) => audience));
    const supersededFor = publish.audience.filter((userId) => shownTo.has(userId));
    const publication = { ...publish, ...(supersededFor.length > 0 && { supersededFor }) };
    return { cursor, text: JSON.stringify(publication) };
  };

  return {
    append(batch: readonly NewDelivery[]) {
      const digested = batch.map((delivery) => ({ ...delivery, digest: sha256(delivery.raw) }));
      return transaction(
        (run) => insertDeliveries(run, driver, { deliveries: digested, windowMs }),
        digested.map(({ digest }) => digest),
      );
    },
    async claim({ limit, leaseMs, horizonMs = hourMs }: ClaimRequest) {
      const lease = randomUUID();
      const pending = `select id from ${deliveries} where state = 'pending' and`;
      const due = unionOf([
        `${pending} at <= now_ms() order by at, id limit $3 ${skipLocked}`,
        // Scheduled before the clock was set back.
        `${pending} at > now_ms() + $4 order by at desc, id desc limit $3 ${skipLocked}`,
      ]);
      const rows = await query(
        `with due as materialized (${due})
         update ${deliveries} set lease = $1, at = now_ms() + $2, attempts = attempts + 1
         where id in (select id from due limit $3) returning ${deliveryColumns}`,
        [lease, leaseMs, limit, horizonMs],
      );
      return rows.map((row) => ({ ...toDelivery(row), lease })).sort((a, b) => Number(a.id) - Number(b.id));
    },
    settle: (settlements: readonly Settlement[]): Promise<void> =>
      transaction(async (run) => {
        for (const { claimed, outcome } of settlements) {
          const isRetry = outcome.kind === 'retry';
          const publish = 'publish' in outcome ? outcome.publish : undefined;
          const placed = publish && (await place(run, claimed.id, publish));
          // Only pending rows have a lease. With a condition on the state, Postgres would read all pending rows.
          await run(
            `update ${deliveries} set lease = null, state = $3, at = now_ms() + $4, last_error = $5, cursor = $6,
               publication = $7, attempts = attempts - $8 where id = $1 and lease = $2`,
            [
              claimed.id,
              claimed.lease,
              isRetry ? 'pending' : outcome.kind,
              isRetry ? outcome.delayMs : 0,
              'error' in outcome ? cleanText(outcome.error) : undefined,
              placed?.cursor,
              placed?.text,
              isRetry && outcome.isUnused ? 1 : 0,
            ],
          );
        }
      }),
    async effect(deliveryId: string, key: string): Promise<{ readonly value: unknown } | undefined> {
      const sql = `select value from ${schema}.effects where delivery_id = $1 and key = $2`;
      const [row] = await query(sql, [deliveryId, storedKey(key)]);
      // Wrapped, because an effect may return `undefined`, which JSON lacks.
      return row && { value: (JSON.parse(String(row['value'])) as { readonly value?: unknown }).value };
    },
    async noteEffect(deliveryId: string, key: string, value: unknown): Promise<void> {
      const sql = `insert into ${schema}.effects (delivery_id, key, value) values ($1, $2, $3) on conflict do nothing`;
      await transaction((run) => run(sql, [deliveryId, storedKey(key), JSON.stringify({ value })]));
    },
    async publications(after: number, limit: number) {
      // Limited by bytes too, but at least one.
      const sql = `select ${deliveryColumns}, cursor, publication from ${deliveries} where cursor in (
          select cursor from (select cursor, sum(length(raw)) over (order by cursor) - length(raw) as before
            from (select cursor, raw from ${deliveries} where cursor > $1 order by cursor limit $2) as page) as sized
          where before < $3) order by cursor`;
      return (await query(sql, [after, limit, maxPageBytes])).map((row) => ({
        ...publicationOf(row),
        cursor: Number(row['cursor']),
        delivery: toDelivery(row),
      }));
    },
    async lastCursor(): Promise<number> {
      const [row] = await query(`select value from ${schema}.meta where key = 'cursor'`);
      return Number(row?.['value'] ?? 0);
    },
    async list(filter: DeliveryFilter) {
      const states = deliveryStates.filter((state) => filter.states?.includes(state) ?? true);
      if (states.length === 0) return [];
      const order = filter.from === undefined ? 'desc' : 'asc';
      const sql = `select ${deliveryColumns} from ${deliveries} where id in (${idsIn(states, order)})
        order by id ${order} limit $3`;
      return (await query(sql, rangeOf(filter))).map(toDelivery);
    },
    /** Makes settled deliveries due again, up to the limit. Resolves to their IDs. */
    async replay(filter: DeliveryFilter): Promise<readonly string[]> {
      const settled = deliveryStates.filter((state) => state !== 'pending');
      const states = settled.filter((state) => filter.states?.includes(state) ?? true);
      if (states.length === 0) return [];
      const sql = `update ${deliveries} set state = 'pending', at = now_ms(), attempts = 0, lease = null, cursor = null,
         publication = null
         where id in (select id from (${idsIn(states, 'asc')}) as settled order by id limit $3) returning id`;
      return (await transaction((run) => run(sql, rangeOf(filter)))).map(({ id }) => String(id));
    },
    /** Removes old deliveries, up to the limit per state. Resolves to the count. */
    prune: (settledBeforeMs: number, limit: number): Promise<number> =>
      transaction(async (run) => {
        const old = 'at < $1 order by at limit $2';
        const ids = ['done', 'unrouted'].map(
          (state) => `select id from ${deliveries} where state = '${state}' and ${old}`,
        );
        const sql = `delete from ${deliveries} where id in (${unionOf(ids)}) returning id`;
        return (await run(sql, [settledBeforeMs, limit])).length;
      }),
    async counts(): Promise<DeliveryCounts> {
      const counted = deliveryStates.map((state) => {
        const rows = `select 1 from ${deliveries} where state = '${state}' limit ${maxCount}`;
        return `(select count(*) from (${rows}) as ${state}_rows) as ${state}`;
      });
      const [row = {}] = await query(`select ${counted.join(', ')}`);
      // One number per state, as selected above.
      return Object.fromEntries(deliveryStates.map((state) => [state, Number(row[state])])) as DeliveryCounts;
    },
    close: (): Promise<void> => driver.close(),
  };
};
