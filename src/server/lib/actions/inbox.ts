import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { sha256 } from './sha256.ts';

/** One webhook delivery as received, before parsing. */
export interface NewDelivery {
  /** The body, byte for byte. */
  readonly raw: Uint8Array;
  /** When the body arrived, in milliseconds since 1970. */
  readonly receivedAtMs: number;
  /** Address of the sender, if the server knows it. */
  readonly source?: string | undefined;
  /** Value of `Content-Encoding`; the body is stored unchanged and decompressed when it is read. */
  readonly encoding?: string | undefined;
  /** Value of `Content-Type`; its `charset` decodes the body. */
  readonly contentType?: string | undefined;
  /** True if a body parser consumed the bytes and the body was serialized again from its result. */
  readonly isReserialized?: boolean | undefined;
}

/** The receipt of a stored delivery. */
export interface AppendReceipt {
  /** ID in the inbox. */
  readonly id: string;
  /** ID of the first delivery with the same bytes within 24 hours. It is a flag: both are delivered. */
  readonly duplicateOf?: string;
}

/** Every state of a delivery, in display order. */
export const deliveryStates = ['pending', 'done', 'unrouted', 'parked', 'dead'] as const;

/**
 * The state of a delivery: `pending` waits for its handler or its next attempt, `done` was handled or discarded,
 * `unrouted` matched no handler, `parked` waits for an operator because a retry would not help, `dead` failed in
 * every attempt.
 */
export type DeliveryState = (typeof deliveryStates)[number];

/** A delivery stored in the inbox. */
export interface StoredDelivery extends NewDelivery {
  readonly id: string;
  readonly state: DeliveryState;
  readonly duplicateOf?: string | undefined;
  /** Number of attempts since it arrived or was last replayed. */
  readonly attempts: number;
  /** Why the last attempt failed, why it is parked, or why it was not delivered. */
  readonly lastError?: string | undefined;
  /** False if the stored bytes no longer match their digest: no handler gets it. */
  readonly isIntact: boolean;
}

/** A delivery leased to one dispatcher until {@link ClaimRequest.leaseMs} has passed. */
export interface ClaimedDelivery extends StoredDelivery {
  /** Proves the lease: settling with an older one changes nothing. */
  readonly lease: string;
  /** The result of its handler, which has run although the delivery is still pending. */
  readonly handled?: HandledReply | undefined;
  /** Whether viewers have already received the action, without a reply. */
  readonly isShown: boolean;
}

/** A dispatcher's request for deliveries. */
export interface ClaimRequest {
  readonly limit: number;
  /** Duration of the lease, in milliseconds; at most 45 minutes. */
  readonly leaseMs: number;
}

/** The part of an action that a handler adds for the viewers. */
export interface ActionReply {
  /** Plain JSON for the viewer's `onAction`, at most 256 KiB; a larger result is omitted. */
  readonly result?: unknown;
  /** Asks the component to reload the report, because its data has changed. */
  readonly refresh?: boolean;
  /** A sentence for the viewer. */
  readonly message?: string;
}

/** The result of a handler that has run. */
export interface HandledReply {
  readonly reply?: ActionReply | undefined;
}

/** The part of an action for the streams: its audience, its report, and the handler's reply. */
export interface PublishedAction extends HandledReply {
  /** User IDs as returned by the host's `viewer` callback. */
  readonly audience: readonly string[];
  /** True if the audience are email addresses of the portal, which are compared without case. */
  readonly isAnyCase?: boolean | undefined;
  /** The report's number, for `canView`. */
  readonly itemId: number;
  /** Those of the audience for whom a newer delivery of this report was published earlier. The inbox sets it. */
  readonly supersededFor?: readonly string[] | undefined;
}

/** How an attempt ended. An outcome without `publish` is not streamed. */
export type Outcome =
  | {
      readonly kind: 'done';
      readonly error?: string | undefined;
      readonly publish?: PublishedAction | undefined;
    }
  | {
      readonly kind: 'unrouted' | 'dead';
      readonly error: string;
      readonly publish?: PublishedAction | undefined;
    }
  | { readonly kind: 'parked'; readonly error: string }
  | {
      readonly kind: 'retry';
      /** At most 45 minutes. */
      readonly delayMs: number;
      readonly error: string;
      /** True if no handler ran: it does not count as an attempt. */
      readonly isUnused?: boolean;
      /** Set if the handler ran and only its viewers are not known yet. */
      readonly handled?: HandledReply | undefined;
      readonly publish?: PublishedAction | undefined;
    };

/** One entry of the log that action streams read: a delivery for viewers, in the order of settling. */
export interface Publication extends PublishedAction {
  /** Position in the log; grows by commit order. */
  readonly cursor: number;
  readonly delivery: StoredDelivery;
}

/** An operator's filter for deliveries. */
export interface DeliveryFilter {
  readonly states?: readonly DeliveryState[] | undefined;
  /** First ID, inclusive. */
  readonly from?: string | undefined;
  /** Last ID, inclusive. */
  readonly to?: string | undefined;
  /** At most this many, newest first unless `from` is given. */
  readonly limit: number;
}

/** A delivery arrived, one was settled, or something happened to the store that an operator has to know. */
export type InboxChange = 'appended' | 'published' | { readonly problem: string };

/** How many deliveries are in each state, up to 10,000: a health check must not read a whole table. */
export type DeliveryCounts = Readonly<Record<DeliveryState, number>>;

/**
 * A durable store and queue of webhook deliveries. `sqliteInbox` and `postgresInbox` implement it, and you can write your
 * own. The main guarantee: when {@link ActionInbox.append} resolves, the delivery survives a power loss.
 */
export interface ActionInbox {
  /** Stores a delivery. Resolves when it is durable; rejects if it cannot be stored. */
  append(delivery: NewDelivery): Promise<AppendReceipt>;
  /** Leases deliveries that are due, oldest first, each to one caller. */
  claim(request: ClaimRequest): Promise<readonly ClaimedDelivery[]>;
  /**
   * Ends a lease. No effect if another process has leased the delivery since. Without a lease, changes a delivery that is
   * not pending. Resolves to whether it was changed.
   */
  settle(claimed: { readonly id: string; readonly lease?: string }, outcome: Outcome): Promise<boolean>;
  /**
   * The newest cursor, and the publications after one, in order: at most `limit`, and fewer if their bodies are large, but
   * at least one if any exist. Without `after`, none.
   */
  since(
    after?: number,
    limit?: number,
  ): Promise<{ readonly cursor: number; readonly publications: readonly Publication[] }>;
  /** Deliveries for an operator. */
  list(filter: DeliveryFilter): Promise<readonly StoredDelivery[]>;
  /**
   * Makes settled deliveries due again, whatever their outcome. Resolves to the count. Attempts restart at 1, and the last
   * error stays until the next result. `pending` deliveries stay unchanged: a handler may be running.
   */
  replay(filter: Omit<DeliveryFilter, 'limit'>): Promise<number>;
  /** Removes deliveries settled as `done` or `unrouted` before a time. Resolves to the count. */
  prune(settledBeforeMs: number): Promise<number>;
  counts(): Promise<DeliveryCounts>;
  /**
   * Calls back after changes, including those of other processes if the store detects them. Returns an unsubscribe
   * function.
   */
  watch(listener: (change: InboxChange) => void): () => void;
  /** Waits for in-flight calls, then closes files and connections. */
  close(): Promise<void>;
}

/** A row of the database; Postgres returns large integers as text. */
export type SqlRow = Readonly<Record<string, string | number | bigint | Uint8Array | null>>;

/** Runs one statement, whose parameters are `$1`, `$2` and so on. `now_ms()` is the database's current time. */
export type Query = (sql: string, parameters?: readonly unknown[]) => Promise<readonly SqlRow[]>;

/** The words of SQL that differ between databases. */
export interface SqlWords {
  /** Type of a column of bytes. */
  readonly bytes: string;
  /** Type of an auto-incrementing primary key. */
  readonly identity: string;
  /** Ends the selection of rows to claim: other connections skip rows that are being claimed. */
  readonly skipLocked: string;
}

/** A database for the inbox. */
export interface SqlDriver {
  readonly words: SqlWords;
  /** Runs work in one transaction. Resolves when its commit is on disk. */
  transaction<TResult>(work: (query: Query) => Promise<TResult>, isRead?: boolean): Promise<TResult>;
  /** Called first in a transaction that makes a change: announces it to other processes, once it is committed. */
  announce(query: Query, change: 'appended' | 'published'): Promise<void>;
  /** Starts to call back with changes by other processes, and with problems of the store. */
  listen(listener: (change: InboxChange) => void): void;
  close(): Promise<void>;
}

/** Version of the tables. */
export const schemaVersion = 3;

/**
 * The statements that create the tables. `at` is when a pending delivery is due (a lease is an `at` in the future, so a
 * crashed holder needs no cleanup), or when it was settled. `details`, `last_error`, `publication` and `reply` are JSON in
 * ASCII. Cursors start at the current time, above those of a replaced file.
 */
export const tableStatements = ({ bytes, identity }: SqlWords): readonly string[] => [
  `create table if not exists deliveries (
    id ${identity},
    received_at bigint not null,
    details text not null default '{}',
    raw ${bytes} not null,
    digest ${bytes} not null,
    duplicate_of bigint,
    state text not null default 'pending',
    at bigint not null,
    attempts integer not null default 0,
    lease text,
    last_error text,
    cursor bigint,
    publication text,
    reply text)`,
  'create index if not exists deliveries_state on deliveries (state, at, id)',
  'create index if not exists deliveries_state_id on deliveries (state, id)',
  'create index if not exists deliveries_digest on deliveries (digest, received_at, id)',
  'create unique index if not exists deliveries_cursor on deliveries (cursor) where cursor is not null',
  'create table if not exists meta (key text primary key, value bigint not null)',
  `insert into meta (key, value) values ('version', ${schemaVersion}), ('cursor', now_ms()) on conflict (key) do nothing`,
];

const dayMs = 24 * 60 * 60 * 1000;
/** A due time further ahead dates from before the clock was set back, and counts as due. */
const horizonMs = 45 * 60 * 1000;
/** Maximum total size of bodies in one page of publications, in bytes. */
const maxPageBytes = 4 * 1024 * 1024;
/** A publication is only compared with so many before it; a viewer gets no more of them at once. */
const comparedPublications = 2048;
/** Maximum rows per maintenance transaction, because acknowledgments wait for it. */
const maintenanceRows = 200;
/** Maximum calls that share a commit. */
const maxTogether = 100;
const maxCount = 10_000;

/** A delivery and the digest of its bytes. */
type DigestedDelivery = NewDelivery & { readonly digest: Buffer };

const deliveryColumns =
  'id, received_at, details, raw, digest, duplicate_of, state, attempts, last_error, cursor, reply';

/** JSON that a database of any encoding stores. */
const toJson = (value: unknown): string | null =>
  value === undefined
    ? null
    : JSON.stringify(value).replace(
        /[\u007f-\uffff]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );

/** A damaged file may return bytes as text; the bytes are the same. */
const bytesOf = (value: unknown): Uint8Array =>
  value instanceof Uint8Array ? value : Buffer.from(typeof value === 'string' ? value : '');

/** Postgres returns integers as text. */
const toDelivery = (row: SqlRow): StoredDelivery => {
  const raw = bytesOf(row['raw']);
  return {
    // Only `append` writes it.
    ...(JSON.parse(String(row['details'])) as Pick<NewDelivery, 'source' | 'encoding' | 'contentType'>),
    id: String(row['id']),
    raw,
    receivedAtMs: Number(row['received_at']),
    // Only the statements below write it.
    state: row['state'] as DeliveryState,
    duplicateOf: row['duplicate_of'] === null ? undefined : String(row['duplicate_of']),
    attempts: Number(row['attempts']),
    lastError: row['last_error'] === null ? undefined : String(JSON.parse(String(row['last_error']))),
    isIntact: Buffer.compare(sha256(raw), bytesOf(row['digest'])) === 0,
  };
};
/** Written by `settle`. */
const publicationOf = (row: SqlRow) => JSON.parse(String(row['publication'])) as PublishedAction;
const handledOf = ({ reply }: SqlRow) =>
  typeof reply === 'string' ? (JSON.parse(reply) as HandledReply) : undefined;

/** Combines selections of IDs, each with its own order and limit. */
const unionOf = (choices: readonly string[]): string =>
  choices.map((choice, n) => `select id from (${choice}) as choice_${n}`).join(' union all ');

/** Selects IDs by $1 to $3, see {@link rangeOf}. One selection per state, because the index starts with the state. */
const idsIn = (states: readonly DeliveryState[], order: 'asc' | 'desc'): string =>
  unionOf(
    states.map(
      (state) =>
        `select id from deliveries where state = '${state}' and id >= $1 and id <= $2 order by id ${order} limit $3`,
    ),
  );
const rangeOf = ({ from = '0', to = '9223372036854775807' }: Partial<DeliveryFilter>, limit: number) => [
  from,
  to,
  limit,
];
const among = (
  { states }: Partial<DeliveryFilter>,
  allowed: readonly DeliveryState[] = deliveryStates,
): readonly DeliveryState[] => allowed.filter((state) => states?.includes(state) ?? true);

/** Inserts deliveries, in order, each with the ID of the first one with the same bytes. */
const insertAll = async (
  query: Query,
  deliveries: readonly DigestedDelivery[],
): Promise<readonly AppendReceipt[]> => {
  const rows = deliveries.map((_, n) => {
    const [at, details, raw, digest] = [1, 2, 3, 4].map((column) => `$${n * 4 + column}`);
    return `(cast(${at} as bigint), ${details}, ${raw}, ${digest}, (select id from deliveries where digest = ${digest}
      and received_at >= cast(${at} as bigint) - ${dayMs} order by received_at, id limit 1), now_ms())`;
  });
  const values = deliveries.flatMap(
    ({ raw, digest, receivedAtMs, source, encoding, contentType, ...more }) => [
      receivedAtMs,
      toJson({ source, encoding, contentType, isReserialized: more.isReserialized ?? false }),
      raw,
      digest,
    ],
  );
  const sql = `insert into deliveries (received_at, details, raw, digest, duplicate_of, at) values ${rows.join()}
    returning id, duplicate_of`;
  const inserted = await query(sql, values);
  // The statement does not see its own rows.
  const firsts = new Map<string, string>();
  const repeated = new Map<string, string[]>();
  const receipts = inserted
    .toSorted((a, b) => Number(a['id']) - Number(b['id']))
    .map((row, n): AppendReceipt => {
      const [id, digest] = [String(row['id']), String(deliveries[n]?.digest.toString('hex'))];
      const first = row['duplicate_of'] === null ? firsts.get(digest) : String(row['duplicate_of']);
      if (first === undefined) firsts.set(digest, id);
      else if (row['duplicate_of'] === null) repeated.set(first, [...(repeated.get(first) ?? []), id]);
      return { id, ...(first !== undefined && { duplicateOf: first }) };
    });
  for (const [first, ids] of repeated)
    await query(`update deliveries set duplicate_of = $1 where id in (${ids.join()})`, [first]);
  return receipts;
};

/** Gives a publication its place, and says for whom a newer one came first: handlers end in any order. */
const place = async (query: Query, id: string, publish: PublishedAction) => {
  // Locks the row until the commit, so that cursors grow in the order of commits.
  const [row] = await query(`update meta set value = value + 1 where key = 'cursor' returning value`);
  const cursor = Number(row?.['value']);
  const sql = 'select publication from deliveries where cursor > $1 and id > $2';
  const newer = (await query(sql, [cursor - comparedPublications, id])).map(publicationOf);
  const shownTo = new Set(
    newer.filter(({ itemId }) => itemId === publish.itemId).flatMap(({ audience }) => audience),
  );
  const supersededFor = publish.audience.filter((userId) => shownTo.has(userId));
  return { cursor, text: toJson({ ...publish, ...(supersededFor.length > 0 && { supersededFor }) }) };
};

/** A delivery and the outcome of its attempt. */
interface Settlement {
  readonly claimed: Parameters<ActionInbox['settle']>[0];
  readonly outcome: Outcome;
}

/** Settles a delivery. Resolves to whether it was changed. */
const settleOne = async (query: Query, { claimed, outcome }: Settlement): Promise<boolean> => {
  const { id, lease } = claimed;
  const isRetry = outcome.kind === 'retry';
  const publish = 'publish' in outcome ? outcome.publish : undefined;
  const placed = publish && (await place(query, id, publish));
  // Only pending rows have a lease. With a condition on the state, Postgres would read all pending rows.
  const sql = `update deliveries set lease = null, state = $2, at = now_ms() + $3, last_error = $4,
      cursor = coalesce($5, cursor), publication = coalesce($6, publication), attempts = attempts - $7, reply = $8
    where id = $1 and ${lease === undefined ? `state <> 'pending'` : 'lease = $9'} returning id`;
  const changed = await query(sql, [
    id,
    isRetry ? 'pending' : outcome.kind,
    isRetry ? outcome.delayMs : 0,
    toJson('error' in outcome ? outcome.error : undefined),
    placed?.cursor,
    placed?.text,
    isRetry && outcome.isUnused ? 1 : 0,
    toJson(isRetry ? outcome.handled : undefined),
    ...(lease === undefined ? [] : [lease]),
  ]);
  return changed.length > 0;
};
const settleAll = async (query: Query, settlements: readonly Settlement[]): Promise<readonly boolean[]> => {
  const changed: boolean[] = [];
  for (const settlement of settlements) changed.push(await settleOne(query, settlement));
  return changed;
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
export const createInbox = (driver: SqlDriver): ActionInbox => {
  const listeners = new Set<(change: InboxChange) => void>();
  let closing: Promise<void> | undefined;

  const emit = (change: InboxChange): void => {
    for (const listener of listeners)
      try {
        listener(change);
      } catch {
        // It must not look like a failed commit.
      }
  };
  const transaction = <TResult>(
    work: (query: Query) => Promise<TResult>,
    isRead?: boolean,
  ): Promise<TResult> => {
    if (closing) return Promise.reject(new Error('The action inbox is closed.'));
    return driver.transaction(work, isRead);
  };
  const read: Query = (sql, parameters) => transaction((query) => query(sql, parameters), true);

  /** Runs items of the same tick, and those that wait for the last commit, in one transaction. */
  const shareCommits = <TItem, TResult>(
    change: 'appended' | 'published',
    run: (query: Query, items: readonly TItem[]) => Promise<readonly TResult[]>,
  ) => {
    const waiting: { readonly item: TItem; readonly done: PromiseWithResolvers<TResult> }[] = [];
    let working: Promise<void> | undefined;
    const commit = async (calls: typeof waiting): Promise<void> => {
      try {
        const values = await driver.transaction(async (query) => {
          await driver.announce(query, change);
          return run(
            query,
            calls.map(({ item }) => item),
          );
        });
        // One value for each item.
        for (const [n, { done }] of calls.entries()) done.resolve(values[n] as TResult);
        emit(change);
      } catch (error) {
        for (const { done } of calls) done.reject(error);
      }
    };
    const commitWaiting = async (): Promise<void> => {
      await setImmediate();
      while (waiting.length > 0) await commit(waiting.splice(0, maxTogether));
      working = undefined;
    };
    return {
      add: (item: TItem): Promise<TResult> => {
        const done = Promise.withResolvers<TResult>();
        if (closing) done.reject(new Error('The action inbox is closed.'));
        else waiting.push({ item, done });
        working ??= commitWaiting();
        return done.promise;
      },
      idle: async (): Promise<void> => working,
    };
  };
  // Apart, so that a delivery does not wait for the results of others.
  const arrivals = shareCommits('appended', insertAll);
  const results = shareCommits('published', settleAll);

  driver.listen(emit);
  return {
    async append(delivery) {
      if (!(delivery.raw instanceof Uint8Array))
        throw new TypeError('A delivery needs its bytes: `raw` must be a Uint8Array.');
      return arrivals.add({ ...delivery, digest: sha256(delivery.raw) });
    },
    async claim({ limit, leaseMs }) {
      const lease = randomUUID();
      const pending = `select id from deliveries where state = 'pending' and`;
      const due = unionOf([
        `${pending} at <= now_ms() order by at, id limit $3 ${driver.words.skipLocked}`,
        `${pending} at > now_ms() + ${horizonMs} order by at desc, id desc limit $3 ${driver.words.skipLocked}`,
      ]);
      const sql = `with due as materialized (${due})
        update deliveries set lease = $1, at = now_ms() + $2, attempts = attempts + 1
        where id in (select id from due limit $3) returning ${deliveryColumns}`;
      const rows = await transaction((query) => query(sql, [lease, leaseMs, limit]));
      return rows
        .map((row) => ({
          ...toDelivery(row),
          lease,
          handled: handledOf(row),
          isShown: row['cursor'] !== null,
        }))
        .sort((a, b) => Number(a.id) - Number(b.id));
    },
    settle: (claimed, outcome) => results.add({ claimed, outcome }),
    since: (after, limit = 0) =>
      transaction(async (query) => {
        const [row] = await query(`select value from meta where key = 'cursor'`);
        // Limited by bytes too, but at least one.
        const sql = `select ${deliveryColumns}, publication from deliveries where cursor in (
            select cursor from (select cursor, sum(length(raw)) over (order by cursor) - length(raw) as before
              from (select cursor, raw from deliveries where cursor > $1 order by cursor limit $2) as page) as sized
            where before < $3) order by cursor`;
        const rows = after === undefined ? [] : await query(sql, [after, limit, maxPageBytes]);
        const publications = rows.map((found) => ({
          ...publicationOf(found),
          cursor: Number(found['cursor']),
          delivery: toDelivery(found),
        }));
        return { cursor: Number(row?.['value'] ?? 0), publications };
      }, true),
    async list(filter) {
      const states = among(filter);
      if (states.length === 0) return [];
      const order = filter.from === undefined ? 'desc' : 'asc';
      const sql = `select ${deliveryColumns} from deliveries where id in (${idsIn(states, order)})
        order by id ${order} limit $3`;
      return (await read(sql, rangeOf(filter, filter.limit))).map(toDelivery);
    },
    async replay(filter) {
      const states = among(filter, ['done', 'unrouted', 'parked', 'dead']);
      if (states.length === 0) return 0;
      const sql = `update deliveries set state = 'pending', at = now_ms(), attempts = 0, lease = null, cursor = null,
          publication = null, reply = null
        where id in (select id from (${idsIn(states, 'asc')}) as settled order by id limit $3) returning id`;
      let from = filter.from ?? '0';
      return inSteps(async () => {
        const rows = await transaction(async (query) => {
          await driver.announce(query, 'appended');
          return query(sql, rangeOf({ ...filter, from }, maintenanceRows));
        });
        emit('appended');
        for (const { id } of rows) if (BigInt(String(id)) > BigInt(from)) from = String(id);
        return rows.length;
      });
    },
    prune: (settledBeforeMs) =>
      inSteps(async () => {
        const old = ['done', 'unrouted'].map(
          (state) =>
            `select id from deliveries where state = '${state}' and at < $1 order by at limit ${maintenanceRows}`,
        );
        const sql = `delete from deliveries where id in (${unionOf(old)}) returning id`;
        return (await transaction((query) => query(sql, [settledBeforeMs]))).length;
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
      // A wrapper, because one function may subscribe twice.
      const own = (change: InboxChange): void => listener(change);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    close: () =>
      (closing ??= (async () => {
        await Promise.all([arrivals.idle(), results.idle()]);
        await driver.close();
      })()),
  };
};
