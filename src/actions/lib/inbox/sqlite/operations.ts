import type { DeliveryFilter, DeliveryState } from '../actionInbox.ts';
import { type Database, deliveryColumns, toRow } from './database.ts';
import type { Operation, OperationResults, PublicationRow } from './messages.ts';

const states: readonly DeliveryState[] = ['pending', 'done', 'parked', 'dead'];

/** The condition of a filter and its parameters. */
const where = (filter: Omit<DeliveryFilter, 'limit'>): [sql: string, values: (string | number)[]] => {
  const parts: string[] = [];
  const values: (string | number)[] = [];
  if (filter.states) {
    parts.push(`d.state in (${filter.states.map(() => '?').join(', ') || 'null'})`);
    values.push(...filter.states);
  }
  if (filter.from !== undefined) {
    parts.push('d.id >= ?');
    values.push(Number(filter.from));
  }
  if (filter.to !== undefined) {
    parts.push('d.id <= ?');
    values.push(Number(filter.to));
  }
  return [parts.length > 0 ? `where ${parts.join(' and ')}` : '', values];
};

/**
 * Who is next, in the order in which they came or became due. What was never attempted is due whatever the clock says, the
 * lowest ID first; two short walks over one index find the next of both kinds.
 */
const nextInTurn = `
  select id from (
    select * from (
      select id, due_at as turn from deliveries
      where state = 'pending' and due_at between 1 and :nowMs order by due_at, id limit :limit
    )
    union all
    select * from (
      select id, received_at as turn from deliveries
      where state = 'pending' and due_at = 0 order by id limit :limit
    )
  ) order by turn, id limit :limit`;

/** Processes of one machine read the clock one after another, and may then wait for the file: so much is no step back. */
const unevenMs = 60_000;

/**
 * Moves what is due with a clock that was set back since the last due time was written: retries and leases would otherwise
 * last longer by as much.
 */
const followClock = (database: Database, nowMs: number): void => {
  const seen = database.statement('select at from clock').get();
  const backMs = Number(seen?.['at'] ?? 0) - nowMs;
  if (backMs <= unevenMs) return;
  database
    .statement(`update deliveries set due_at = max(1, due_at - ?) where state = 'pending' and due_at > 0`)
    .run(backMs);
  database.statement('update clock set at = ?').run(nowMs);
};

/** Remembers by which clock a due time was written. */
const noteClock = (database: Database, nowMs: number): void => {
  database
    .statement(
      'insert into clock (only_row, at) values (1, ?) on conflict do update set at = excluded.at where at < excluded.at',
    )
    .run(nowMs);
};

const claim = (database: Database, operation: Operation & { kind: 'claim' }, nowMs: number) => {
  const { limit, leaseMs } = operation.request;
  followClock(database, nowMs);
  // A token of 52 bits is a number that JavaScript can hold.
  const rows = database
    .statement(
      `update deliveries as d set attempts = attempts + 1, due_at = :leasedUntilMs, lease = random() >> 12
       where id in (${nextInTurn}) returning ${deliveryColumns.replaceAll('d.', '')}, lease`,
    )
    .all({ leasedUntilMs: nowMs + leaseMs, nowMs, limit })
    .map((row) => ({ ...toRow(row), lease: Number(row['lease']) }));
  if (rows.length > 0) noteClock(database, nowMs);
  return rows.sort((a, b) => a.id - b.id);
};

const settle = (database: Database, operation: Operation & { kind: 'settle' }, nowMs: number): null => {
  const { id, lease, outcome } = operation;
  if (outcome.kind === 'retry') {
    followClock(database, nowMs);
    database
      .statement(
        `update deliveries set due_at = ?, last_error = ?, attempts = attempts - ? where id = ? and lease = ? and state = 'pending'`,
      )
      .run(nowMs + outcome.delayMs, outcome.error, outcome.isUnused ? 1 : 0, id, lease);
    noteClock(database, nowMs);
    return null;
  }
  const { changes } = database
    .statement(
      `update deliveries set state = ?, last_error = ?, settled_at = ? where id = ? and lease = ? and state = 'pending'`,
    )
    .run(outcome.kind, outcome.kind === 'done' ? null : outcome.error, nowMs, id, lease);
  const isPublished = outcome.kind === 'dead' || (outcome.kind === 'done' && !outcome.isSilent);
  if (changes === 1 && isPublished)
    database
      .statement('insert into publications (delivery_id, published_at, reply) values (?, ?, ?)')
      .run(
        id,
        nowMs,
        outcome.kind === 'done' && outcome.reply !== undefined ? JSON.stringify(outcome.reply) : null,
      );
  return null;
};

const publications = (database: Database, after: number, limit: number): PublicationRow[] =>
  database
    .statement(
      `select p.cursor, p.published_at, p.reply, ${deliveryColumns}
       from publications p join deliveries d on d.id = p.delivery_id
       where p.cursor > ? order by p.cursor limit ?`,
    )
    .all(after, limit)
    .map((row) => ({
      cursor: Number(row['cursor']),
      publishedAtMs: Number(row['published_at']),
      reply: typeof row['reply'] === 'string' ? JSON.parse(row['reply']) : undefined,
      delivery: toRow(row),
    }));

const list = (database: Database, filter: DeliveryFilter) => {
  const [condition, values] = where(filter);
  const order = filter.from === undefined ? 'desc' : 'asc';
  return database
    .statement(`select ${deliveryColumns} from deliveries d ${condition} order by d.id ${order} limit ?`)
    .all(...values, filter.limit)
    .map(toRow);
};

/** What is pending is left alone: it has its turn still to come, or a handler has it at this moment. */
const replay = (database: Database, filter: Omit<DeliveryFilter, 'limit'>): number => {
  const [condition, values] = where(filter);
  const { changes } = database
    .statement(
      `update deliveries as d set state = 'pending', attempts = 0, due_at = 0, settled_at = null
       ${condition === '' ? 'where' : `${condition} and`} d.state <> 'pending'`,
    )
    .run(...values);
  return Number(changes);
};

const counts = (database: Database): OperationResults['counts'] => {
  const found = new Map(
    database
      .statement('select state, count(*) as n from deliveries group by state')
      .all()
      .map((row) => [String(row['state']), Number(row['n'])]),
  );
  return Object.fromEntries(
    states.map((state) => [state, found.get(state) ?? 0]),
  ) as OperationResults['counts'];
};

/** Runs one operation inside the round's transaction. */
export const runOperation = (
  database: Database,
  operation: Operation,
  nowMs: number,
): OperationResults[keyof OperationResults] => {
  switch (operation.kind) {
    case 'claim':
      return claim(database, operation, nowMs);
    case 'settle':
      return settle(database, operation, nowMs);
    case 'effect': {
      const row = database
        .statement('select value from effects where delivery_id = ? and key = ?')
        .get(operation.id, operation.key);
      return row ? { value: row['value'] as string | null } : null;
    }
    case 'noteEffect':
      database
        .statement('insert into effects (delivery_id, key, value) values (?, ?, ?) on conflict do nothing')
        .run(operation.id, operation.key, operation.value);
      return null;
    case 'publications':
      return publications(database, operation.after, operation.limit);
    case 'lastCursor': {
      const row = database.statement(`select seq from sqlite_sequence where name = 'publications'`).get();
      return Number(row?.['seq'] ?? 0);
    }
    case 'list':
      return list(database, operation.filter);
    case 'replay':
      return replay(database, operation.filter);
    case 'prune':
      return Number(
        database
          .statement(`delete from deliveries where state = 'done' and settled_at < ?`)
          .run(operation.settledBeforeMs).changes,
      );
    case 'counts':
      return counts(database);
  }
};
