import { renameSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type Database, deliveryColumns, digestOf, toRow } from './database.ts';
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

/** Puts salvaged deliveries into a fresh inbox, under their own IDs. */
export const restore = (into: Database, rows: readonly DeliveryRow[]): void => {
  into.connection.exec('begin immediate');
  for (const row of rows)
    into
      .statement(
        `insert into deliveries (id, received_at, due_at, raw, digest, source, encoding, is_rebuilt, state, attempts, last_error)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        row.id,
        row.receivedAtMs,
        row.dueAtMs,
        row.raw,
        digestOf(row.raw),
        row.source,
        row.encoding,
        row.isRebuilt ? 1 : 0,
        row.state,
        row.attempts,
        row.lastError,
      );
  into.connection.exec('commit');
};
