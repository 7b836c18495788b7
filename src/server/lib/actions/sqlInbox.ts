import { hash, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  type ActionInbox,
  type DeliveryCounts,
  type DeliveryFilter,
  type DeliveryState,
  deliveryStates,
  type HandledReply,
  type InboxChange,
  type NewDelivery,
  type PublishedAction,
  type StoredDelivery,
} from './inbox.ts';
import { shareCommits } from './sharedCommits.ts';
import type { Query, SqlDriver, SqlRow } from './sql.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** A due time further ahead dates from before the clock was set back, and counts as due. */
const horizonMs = 45 * 60 * 1000;
/** A publication is only compared with so many before it; a viewer gets no more of them at once. */
const comparedPublications = 2048;
/** Maximum rows per maintenance transaction, because acknowledgments wait for it. */
const maintenanceRows = 200;
const maxCount = 10_000;
const maxId = '9223372036854775807';

const deliveryColumns =
  'id, received_at, details, raw, duplicate_of, state, attempts, last_error, cursor, reply';

/** JSON that a database of any encoding stores. */
const toJson = (value: unknown): string | undefined =>
  value === undefined
    ? undefined
    : JSON.stringify(value).replace(
        /[\u007f-\uffff]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );

/** Reads what `toJson` wrote in a column; the statements below say its type. */
const fromJson = <TValue>(column: SqlRow[string] | undefined): TValue | undefined =>
  typeof column === 'string' ? (JSON.parse(column) as TValue) : undefined;

const toDelivery = (row: SqlRow): StoredDelivery => ({
  ...fromJson<Pick<NewDelivery, 'source' | 'contentType'>>(row['details']),
  id: String(row['id']),
  raw: row['raw'] as Uint8Array, // the type of the column
  receivedAtMs: Number(row['received_at']),
  state: row['state'] as DeliveryState, // only the statements below write it
  duplicateOf: row['duplicate_of'] === null ? undefined : String(row['duplicate_of']),
  attempts: Number(row['attempts']),
  lastError: fromJson<string>(row['last_error']),
});

/** Finds deliveries in the order of IDs. One state at a time, because the index starts with the state. */
const find = async (
  query: Query,
  { states, from, to = maxId, limit }: DeliveryFilter,
): Promise<readonly StoredDelivery[]> => {
  const [order, sign] = from === undefined ? ['desc', -1] : ['asc', 1];
  const conditions = states ? [...new Set(states)].map((state) => `and state = '${state}'`) : [''];
  const rows: SqlRow[] = [];
  for (const condition of conditions) {
    const sql = `select ${deliveryColumns} from deliveries where id >= $1 and id <= $2 ${condition} order by id ${order} limit $3`;
    rows.push(...(await query(sql, [from ?? 0, to, limit])));
  }
  const found = rows.map(toDelivery).sort((a, b) => sign * (Number(a.id) - Number(b.id)));
  return found.slice(0, limit);
};

/** Inserts a delivery, with the ID of the first one with the same bytes. */
const insert = async (query: Query, { raw, receivedAtMs, source, contentType }: NewDelivery) => {
  const sql = `insert into deliveries (received_at, details, raw, digest, at, duplicate_of)
    values (cast($1 as bigint), $2, $3, $4, now_ms(), (select id from deliveries where digest = $4
      and received_at >= cast($1 as bigint) - ${dayMs} order by received_at, id limit 1))
    returning id, duplicate_of`;
  const details = toJson({ source, contentType });
  const [row = {}] = await query(sql, [receivedAtMs, details, raw, hash('sha256', raw, 'buffer')]);
  const { id, duplicate_of: first } = row;
  return { id: String(id), ...(first !== null && { duplicateOf: String(first) }) };
};

/** Gives a publication its place, and says for whom a newer one came first: handlers end in any order. */
const place = async (query: Query, id: string, publish: PublishedAction) => {
  // Locks the row until the commit, so that cursors grow in the order of commits.
  const [row] = await query(`update meta set value = value + 1 where key = 'cursor' returning value`);
  const cursor = Number(row?.['value']);
  const sql = 'select publication from deliveries where cursor > $1 and id > $2';
  const newer = (await query(sql, [cursor - comparedPublications, id]))
    .map(({ publication = null }) => fromJson<PublishedAction>(publication))
    .filter((other) => other?.itemId === publish.itemId);
  const supersededFor = publish.audience.filter((userId) =>
    newer.some((other) => other?.audience.includes(userId)),
  );
  return { cursor, text: toJson({ ...publish, ...(supersededFor.length > 0 && { supersededFor }) }) };
};

/** Settles a delivery. Resolves to whether it was changed. */
const settle = async (
  query: Query,
  ...[{ id, lease }, outcome]: Parameters<ActionInbox['settle']>
): Promise<boolean> => {
  const { kind, error, publish, delayMs = 0, isUnused = false, handled } = outcome;
  const isRetry = kind === 'retry';
  const placed = publish && (await place(query, id, publish));
  // Only pending rows have a lease. With a condition on the state, Postgres would read all pending rows.
  const sql = `update deliveries set lease = null, state = $2, at = now_ms() + $3, last_error = $4,
      cursor = coalesce($5, cursor), publication = coalesce($6, publication), attempts = attempts - $7, reply = $8
    where id = $1 and ${lease === undefined ? `state <> 'pending'` : 'lease = $9'} returning id`;
  const changed = await query(sql, [
    id,
    isRetry ? 'pending' : kind,
    isRetry ? delayMs : 0,
    toJson(error),
    placed?.cursor,
    placed?.text,
    Number(isRetry && isUnused),
    toJson(isRetry ? handled : undefined),
    ...(lease === undefined ? [] : [lease]),
  ]);
  return changed.length > 0;
};

/** Repeats a bounded step until it processes fewer rows than its limit. */
const inSteps = async (step: () => Promise<number>): Promise<number> => {
  let total = 0;
  for (let done = maintenanceRows; done >= maintenanceRows; total += done) {
    done = await step();
    // Let waiting commits run first.
    await setImmediate();
  }
  return total;
};

/** The inbox over a database. */
export const createSqlInbox = (driver: SqlDriver): ActionInbox => {
  const listeners = new Set<(change: InboxChange) => void>();
  let closing: Promise<void> | undefined;
  let isClosed = false;

  const emit = (change: InboxChange): void => {
    for (const listener of listeners) listener(change);
  };
  const transaction: SqlDriver['transaction'] = async (work) => {
    if (isClosed) throw new Error('The action inbox is closed.');
    return driver.transaction(work);
  };
  const read: Query = (sql, parameters) => transaction((query) => query(sql, parameters));
  /** Makes a change in a transaction, and announces it. */
  const change = async <TResult>(
    kind: 'appended' | 'published',
    work: (query: Query) => Promise<TResult>,
  ): Promise<TResult> => {
    const result = await transaction(async (query) => {
      await driver.announce(query, kind);
      return work(query);
    });
    emit(kind);
    return result;
  };
  // Apart, so that a delivery does not wait for the results of others.
  const arrivals = shareCommits((work) => change('appended', work));
  const endings = shareCommits((work) => change('published', work));

  driver.listen(emit);
  return {
    append: (delivery) => arrivals.add((query) => insert(query, delivery)),
    async claim({ limit, leaseMs }) {
      const lease = randomUUID();
      const sql = `with due as materialized (select id from deliveries
          where state = 'pending' and not (at > now_ms() and at <= now_ms() + ${horizonMs})
          order by at, id limit $3 ${driver.skipLocked})
        update deliveries set lease = $1, at = now_ms() + $2, attempts = attempts + 1
        where id in (select id from due) returning ${deliveryColumns}`;
      return (await read(sql, [lease, leaseMs, limit]))
        .map((row) => ({
          ...toDelivery(row),
          lease,
          handled: fromJson<HandledReply>(row['reply']),
          isShown: row['cursor'] !== null,
        }))
        .sort((a, b) => Number(a.id) - Number(b.id));
    },
    settle: (...settlement) => endings.add((query) => settle(query, ...settlement)),
    since: (after, limit = 0) =>
      transaction(async (query) => {
        const [row] = await query(`select value from meta where key = 'cursor'`);
        const sql = `select ${deliveryColumns}, publication from deliveries where cursor > $1 order by cursor limit $2`;
        const rows = after === undefined ? [] : await query(sql, [after, limit]);
        const publications = rows.map((found) => ({
          ...(JSON.parse(String(found['publication'])) as PublishedAction), // `place` wrote it
          cursor: Number(found['cursor']),
          delivery: toDelivery(found),
        }));
        return { cursor: Number(row?.['value']), publications };
      }),
    list: (filter) => transaction((query) => find(query, filter)),
    replay({ states = deliveryStates, from = '0', to }) {
      const settled = states.filter((state) => state !== 'pending');
      // What is replayed may be settled again before the next step.
      let next = from;
      return inSteps(async () => {
        const ids = await change('appended', async (query) => {
          const found = await find(query, { states: settled, from: next, to, limit: maintenanceRows });
          const sql = `update deliveries set state = 'pending', at = now_ms(), attempts = 0, lease = null, cursor = null,
            publication = null, reply = null where id = $1 and state <> 'pending'`;
          for (const { id } of found) await query(sql, [id]);
          return found.map(({ id }) => Number(id));
        });
        next = String(Math.max(...ids) + 1);
        return ids.length;
      });
    },
    prune: (settledBeforeMs) =>
      inSteps(async () => {
        const sql = `delete from deliveries where id in (select id from deliveries
          where state in ('done', 'unrouted') and at < $1 limit ${maintenanceRows}) returning id`;
        return (await read(sql, [settledBeforeMs])).length;
      }),
    async counts() {
      const counted = deliveryStates.map((state) => {
        const rows = `select 1 from deliveries where state = '${state}' limit ${maxCount}`;
        return `(select count(*) from (${rows}) as ${state}_rows) as ${state}`;
      });
      const [row = {}] = await read(`select ${counted.join(', ')}`);
      // One number per state, as selected above.
      return Object.fromEntries(deliveryStates.map((state) => [state, Number(row[state])])) as DeliveryCounts;
    },
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () =>
      (closing ??= (async () => {
        await Promise.allSettled([arrivals.last(), endings.last()]);
        isClosed = true;
        await driver.close();
      })()),
  };
};
