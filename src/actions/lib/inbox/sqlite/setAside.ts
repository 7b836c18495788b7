import { renameSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sha256 } from '../../sha256.ts';
import { type Database, deliveryColumns, toRow } from './database.ts';
import type { DeliveryRow } from './messages.ts';

/** Moves a damaged inbox and its log out of the way, so that a fresh one can take over. Resolves to the new name. */
export const setAside = (file: string, nowMs: number): string => {
  const moved = `${file}.damaged-${new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-')}`;
  for (const part of ['', '-wal', '-shm'])
    if (statSync(`${file}${part}`, { throwIfNoEntry: false }))
      renameSync(`${file}${part}`, `${moved}${part}`);
  return moved;
};

/** Reads what can still be read of the unfinished deliveries; a body that fails its digest is left behind. */
export const salvage = (damagedFile: string): DeliveryRow[] => {
  const rows: DeliveryRow[] = [];
  try {
    const connection = new DatabaseSync(damagedFile, { readOnly: true });
    try {
      const unfinished = connection.prepare(
        `select ${deliveryColumns} from deliveries d where d.state <> 'done' order by d.id`,
      );
      for (const row of unfinished.iterate()) {
        const delivery = toRow(row);
        if (delivery.isIntact) rows.push(delivery);
      }
    } finally {
      connection.close();
    }
  } catch {
    // Damaged pages end the reading; what was read before them is still good.
  }
  return rows;
};

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/**
 * Puts salvaged deliveries into a fresh inbox, due at once, under their own IDs; returns how many there were. Only a body
 * has a digest: anything else may be damaged, and an ID may come twice, with the same body or with another. New IDs begin
 * at the present moment, above all that the damaged file gave: they are idempotency keys, which nothing new may meet again.
 */
export const restore = (into: Database, rows: readonly DeliveryRow[], nowMs: number): number => {
  const insert = into.statement(
    `insert into deliveries (id, received_at, due_at, raw, digest, source, encoding, is_rebuilt, state, attempts, last_error)
     values (?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const restoreAs = (id: number | null, row: DeliveryRow): void =>
    void insert.run(
      id,
      isWhole(row.receivedAtMs) ? row.receivedAtMs : nowMs,
      row.raw,
      sha256(row.raw),
      textOf(row.source),
      textOf(row.encoding),
      row.isRebuilt ? 1 : 0,
      row.state === 'parked' || row.state === 'dead' ? row.state : 'pending',
      isWhole(row.attempts) ? row.attempts : 0,
      textOf(row.lastError),
    );
  const owners = new Map<number, DeliveryRow>();
  const others: DeliveryRow[] = [];
  for (const row of rows) {
    const owner = owners.get(row.id);
    if (!owner) owners.set(row.id, row);
    else if (Buffer.compare(owner.raw, row.raw) !== 0) others.push(row);
  }
  into.connection.exec('begin immediate');
  for (const [id, row] of owners) restoreAs(id, row);
  for (const row of others) restoreAs(null, row);
  into.connection.exec(`insert into sqlite_sequence (name, seq)
    select 'deliveries', 0 where not exists (select 1 from sqlite_sequence where name = 'deliveries')`);
  into.statement(`update sqlite_sequence set seq = max(seq, ?) where name = 'deliveries'`).run(nowMs);
  into.connection.exec('commit');
  return owners.size + others.length;
};
