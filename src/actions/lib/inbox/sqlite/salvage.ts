import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { sha256 } from '../../sha256.ts';
import type { Salvaged } from '../actionInbox.ts';
import { bytesOf } from '../sql/deliveryColumns.ts';
import { sqlite } from './sqliteFiles.ts';

type Row = Record<string, SQLOutputValue>;

/** Reads a table in row ID order; on damage, continues after it, in growing steps. */
const readRows = (connection: DatabaseSync, table: string, columns: string) => {
  const rows: Row[] = [];
  let failures = 0;
  let isWhole = true;
  for (let after = 0; failures < maxFailures; ) {
    try {
      const statement = connection.prepare(
        `select ${columns}, rowid as at from ${table} not indexed where rowid > ? order by rowid`,
      );
      statement.setReadBigInts(true);
      for (const { at, ...row } of statement.iterate(after)) {
        rows.push(row);
        // Damaged rows may be in any order; going back could loop endlessly.
        if (Number(at) <= after) continue;
        after = Number(at);
        failures = 0;
      }
      return { rows, isWhole };
    } catch {
      isWhole = false;
      failures += 1;
      after += 2 ** Math.max(0, failures - maxSingleSteps);
    }
  }
  return { rows, isWhole };
};

const columns =
  'id, received_at, source, encoding, is_reserialized, raw, digest, state, attempts, last_error';
const unfinished = "state not in ('done', 'unrouted')";
/** A page holds fewer rows than the first number; after as many failures as the second, the table has ended. */
const [maxSingleSteps, maxFailures] = [100, 150];
const lostNotes =
  'The inbox file was damaged, and it is unknown which effects of this action have happened. Check before you replay it.';

/**
 * Copies the readable unfinished deliveries and effect records of a damaged file into a fresh one, in one transaction.
 * Only bodies have a digest: other fields may be damaged, and IDs may repeat. Deliveries that may have lost an effect
 * record are parked.
 */
export const salvage = (damagedFile: string, into: DatabaseSync): Salvaged => {
  using from = new sqlite.DatabaseSync(damagedFile, { readOnly: true });
  const effects = readRows(from, 'effects', 'delivery_id, key, value');
  const deliveries = readRows(
    from,
    'deliveries',
    columns.replace('raw', `case when ${unfinished} then raw end as raw`),
  );
  const insert = into.prepare(
    `insert into deliveries (${columns}, at) values ($id, coalesce(cast($received_at as integer), 0), cast($source as text),
       cast($encoding as text), coalesce($is_reserialized = 1, 0), $raw, $digest, $state,
       coalesce(cast($attempts as integer), 1), cast($last_error as text), now_ms())`,
  );
  const note = into.prepare(
    `insert or ignore into effects (delivery_id, key, value) select $delivery_id, cast($key as text), cast($value as text)
     where exists (select 1 from deliveries where id = $delivery_id)`,
  );
  const digests = new Map<SQLOutputValue, string>();
  let [salvaged, parked, isComplete] = [0, 0, deliveries.isWhole];
  into.exec('begin immediate');
  for (const row of deliveries.rows) {
    const { id = null, attempts, state } = row;
    if (state === 'done' || state === 'unrouted') continue;
    const raw = bytesOf(row['raw']);
    const digest = sha256(raw);
    const isIntact = digest.equals(bytesOf(row['digest']));
    isComplete &&= isIntact;
    if (!isIntact || digests.get(id) === digest.toString('hex')) continue;
    const isSettled = state === 'parked' || state === 'dead';
    const isUncertain = !isSettled && attempts !== 0n && !effects.isWhole;
    const ownId = digests.has(id) || Number(id) <= 0 ? null : id;
    digests.set(id, digest.toString('hex'));
    insert.run({
      ...row,
      id: ownId,
      raw,
      digest,
      ...(!isSettled && { state: 'pending' }),
      ...(isUncertain && { state: 'parked', last_error: lostNotes }),
    });
    salvaged += 1;
    if (isUncertain) parked += 1;
  }
  for (const row of effects.rows) note.run(row);
  into.exec('commit');
  return { salvaged, parked, isComplete };
};
