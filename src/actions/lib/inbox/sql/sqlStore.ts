import { randomUUID } from 'node:crypto';
import { sha256 } from '../../sha256.ts';
import {
  type AppendReceipt,
  type ClaimedDelivery,
  type ClaimRequest,
  type DeliveryCounts,
  type DeliveryFilter,
  type DeliveryState,
  deliveryStates,
  maxCount,
  type NewDelivery,
  type Publication,
  type Settlement,
  type StoredDelivery,
} from '../actionInbox.ts';
import { spillTime } from '../spill/spillFormat.ts';
import { cleanText, deliveryColumns, toDelivery, toJson, toPublished } from './deliveryRow.ts';
import { type InsertedRow, insertDeliveries } from './insertDeliveries.ts';
import type { SqlDriver, SqlRow } from './sqlDriver.ts';

/** A batch of deliveries to store at once. */
export interface AppendBatch {
  readonly deliveries: readonly NewDelivery[];
  /** Name of the spill file that they come from; a file is imported once. */
  readonly spillFile?: string;
}

/** The inbox's operations as SQL, each one transaction. Plain data goes in and out, so that it may run in a worker thread. */
export interface SqlStore {
  readonly append: (batch: AppendBatch) => Promise<readonly AppendReceipt[]>;
  readonly claim: (request: ClaimRequest) => Promise<readonly ClaimedDelivery[]>;
  readonly settle: (settlements: readonly Settlement[]) => Promise<void>;
  readonly effect: (deliveryId: string, key: string) => Promise<{ readonly value: unknown } | undefined>;
  readonly noteEffect: (deliveryId: string, key: string, value: unknown) => Promise<void>;
  readonly publications: (after: number, limit: number) => Promise<readonly Publication[]>;
  readonly lastCursor: () => Promise<number>;
  readonly list: (filter: DeliveryFilter) => Promise<readonly StoredDelivery[]>;
  /** Makes at most so many settled deliveries due again. Resolves to their IDs. */
  readonly replay: (filter: DeliveryFilter) => Promise<readonly string[]>;
  /** Removes at most so many of each state. Resolves to how many. */
  readonly prune: (settledBeforeMs: number, limit: number) => Promise<number>;
  readonly counts: () => Promise<DeliveryCounts>;
  readonly close: () => Promise<void>;
}

/** Bodies of one page of publications, in bytes. */
const maxPageBytes = 4 * 1024 * 1024;
/** Selects IDs by an index on each state. Its parameters are those of {@link rangeOf}. */
const selectIds = (states: readonly DeliveryState[], order: 'asc' | 'desc'): string =>
  states
    .map(
      (state) => `select id from (select id from deliveries where state = '${state}' and id >= $1 and id <= $2
        order by id ${order} limit $3) as ${state}_ids`,
    )
    .join(' union all ');

const rangeOf = ({ from = '0', to = '9223372036854775807', limit }: DeliveryFilter): readonly unknown[] => [
  BigInt(from),
  BigInt(to),
  limit,
];

const receiptOf = ({ id, duplicateOf }: InsertedRow): AppendReceipt => ({
  id: String(id),
  ...(duplicateOf !== undefined && { duplicateOf: String(duplicateOf) }),
  isSpilled: false,
});

/** The columns a settlement writes, and how its cursor counts. */
const settlementValues = (outcome: Settlement['outcome'], cursor: number | null) => {
  const isRetry = outcome.kind === 'retry';
  return [
    isRetry ? 'pending' : outcome.kind,
    isRetry ? outcome.delayMs : 0,
    'error' in outcome ? cleanText(outcome.error) : null,
    cursor,
    'publish' in outcome ? toJson(outcome.publish) : null,
    isRetry && outcome.isUnused ? 1 : 0,
  ];
};

const isPublished = ({ outcome }: Settlement): boolean =>
  'publish' in outcome && outcome.publish !== undefined;

/** Creates the store over a database. `duplicateWindowMs` is how long the same bytes count as a duplicate. */
export const createSqlStore = (driver: SqlDriver, duplicateWindowMs: number): SqlStore => {
  const { transaction, notify, lockDigests, words } = driver;
  const one = (sql: string, parameters?: readonly unknown[]): Promise<readonly SqlRow[]> =>
    transaction((query) => query(sql, parameters));

  return {
    append: ({ deliveries, spillFile }) =>
      transaction(async (query) => {
        if (spillFile !== undefined) {
          const sql = 'insert into imported (name) values ($1) on conflict do nothing returning name';
          if ((await query(sql, [spillFile])).length === 0) return [];
        }
        await lockDigests?.(
          query,
          deliveries.map(({ raw }) => sha256(raw)),
        );
        const inserted = await insertDeliveries(query, deliveries, duplicateWindowMs);
        await notify?.(query, 'appended');
        return inserted.map(receiptOf);
      }),
    claim: ({ limit, leaseMs, horizonMs = 3_600_000 }) =>
      transaction(async (query) => {
        const lease = randomUUID();
        const claimed: SqlRow[] = [];
        // What is due beyond the horizon was put off before the clock was set back.
        for (const [due, order] of [
          ['at <= now_ms()', 'at, id'],
          ['at > now_ms() + $4', 'at desc'],
        ] as const) {
          const left = limit - claimed.length;
          if (left <= 0) break;
          const parameters = [lease, leaseMs, left, ...(due.includes('$4') ? [horizonMs] : [])];
          claimed.push(
            ...(await query(
              `with due as materialized (select id from deliveries where state = 'pending' and ${due}
                 order by ${order} limit $3 ${words.skipLocked})
               update deliveries set lease = $1, at = now_ms() + $2, attempts = attempts + 1
               where id in (select id from due) returning ${deliveryColumns}`,
              parameters,
            )),
          );
        }
        return claimed
          .map((row) => ({ ...toDelivery(row), lease }))
          .sort((a, b) => Number(a.id) - Number(b.id));
      }),
    settle: (settlements) =>
      transaction(async (query) => {
        const published = settlements.filter(isPublished).length;
        let cursor = 0;
        if (published > 0) {
          // Locks the row until the commit, so that cursors grow in the order of commits.
          const sql = "update meta set value = value + $1 where key = 'cursor' returning value";
          cursor = Number((await query(sql, [published]))[0]?.['value']) - published;
        }
        for (const settlement of settlements) {
          const { claimed, outcome } = settlement;
          if (isPublished(settlement)) cursor += 1;
          await query(
            `update deliveries set lease = null, state = $3, at = now_ms() + $4, last_error = $5, cursor = $6,
               publication = $7, attempts = attempts - $8
             where id = $1 and lease = $2 and state = 'pending'`,
            [
              BigInt(claimed.id),
              claimed.lease,
              ...settlementValues(outcome, isPublished(settlement) ? cursor : null),
            ],
          );
        }
        if (published > 0) await notify?.(query, 'published');
      }),
    async effect(deliveryId, key) {
      const sql = 'select value from effects where delivery_id = $1 and key = $2';
      const [row] = await one(sql, [BigInt(deliveryId), JSON.stringify(key)]);
      // Wrapped, because `undefined` is a value of an effect and none of JSON.
      return row && { value: (JSON.parse(String(row['value'])) as { readonly value?: unknown }).value };
    },
    async noteEffect(deliveryId, key, value) {
      await one('insert into effects (delivery_id, key, value) values ($1, $2, $3) on conflict do nothing', [
        BigInt(deliveryId),
        JSON.stringify(key),
        JSON.stringify({ value }),
      ]);
    },
    async publications(after, limit) {
      // Bounded by bytes too, and at least one.
      const sql = `select ${deliveryColumns}, cursor, publication from deliveries where cursor in (
          select cursor from (select cursor, sum(length(raw)) over (order by cursor) - length(raw) as before
            from (select cursor, raw from deliveries where cursor > $1 order by cursor limit $2) as page) as sized
          where before < $3) order by cursor`;
      return (await one(sql, [after, limit, maxPageBytes])).map((row) => ({
        ...toPublished(row['publication']),
        cursor: Number(row['cursor']),
        delivery: toDelivery(row),
      }));
    },
    async lastCursor() {
      const [row] = await one("select value from meta where key = 'cursor'");
      return Number(row?.['value'] ?? 0);
    },
    async list(filter) {
      const states = deliveryStates.filter((state) => filter.states?.includes(state) ?? true);
      if (states.length === 0) return [];
      const order = filter.from === undefined ? 'desc' : 'asc';
      const sql = `select ${deliveryColumns} from deliveries where id in (${selectIds(states, order)}) order by id ${order} limit $3`;
      return (await one(sql, rangeOf(filter))).map(toDelivery);
    },
    async replay(filter) {
      const states = deliveryStates.filter(
        (state) => state !== 'pending' && (filter.states?.includes(state) ?? true),
      );
      if (states.length === 0) return [];
      const sql = `update deliveries set state = 'pending', at = now_ms(), attempts = 0, lease = null, cursor = null, publication = null
         where id in (select id from (${selectIds(states, 'asc')}) as settled order by id limit $3) returning id`;
      return (await one(sql, rangeOf(filter))).map(({ id }) => String(id));
    },
    prune: (settledBeforeMs, limit) =>
      transaction(async (query) => {
        // Their names begin with the time.
        await query('delete from imported where name < $1', [spillTime(settledBeforeMs)]);
        const settled = ['done', 'unrouted'].map(
          (state) => `select id from (select id from deliveries where state = '${state}' and at < $1
            order by at limit $2) as ${state}_ids`,
        );
        const rows = await query(
          `delete from deliveries where id in (${settled.join(' union all ')}) returning id`,
          [settledBeforeMs, limit],
        );
        return rows.length;
      }),
    async counts() {
      const counted = deliveryStates.map(
        (state) =>
          `(select count(*) from (select 1 from deliveries where state = '${state}' limit ${maxCount}) as ${state}_rows) as ${state}`,
      );
      const [row = {}] = await one(`select ${counted.join(', ')}`);
      // One number a state, as selected above.
      return Object.fromEntries(deliveryStates.map((state) => [state, Number(row[state])])) as DeliveryCounts;
    },
    close: () => driver.close(),
  };
};
