import type { DatabaseSync } from 'node:sqlite';
import type { StoredDelivery } from '../actionInbox.ts';
import { deliveryColumns, toDelivery } from '../sql/deliveryRow.ts';
import type { SqlRow } from '../sql/sqlDriver.ts';

// Not an import: an unsupported Node then says which Node it needs, and not that it lacks a module.
const sqlite = process.getBuiltinModule('node:sqlite');

/** What could still be read of a damaged file. */
export interface Salvage {
  readonly deliveries: readonly StoredDelivery[];
  readonly effects: readonly SqlRow[];
  /** Whether every note of an effect was read. */
  readonly hasAllEffects: boolean;
  /** Unfinished deliveries that the file names and that could not be read. */
  readonly unreadable: number;
  /** Whether there may have been others, whose names could not be read either. */
  readonly mayMissMore: boolean;
}

interface Reading {
  readonly rows: readonly SqlRow[];
  readonly isWhole: boolean;
}

/** Reads rows until damage ends the reading; what was read before it is still good. */
const readRows = (connection: DatabaseSync, sql: string): Reading => {
  const rows: SqlRow[] = [];
  try {
    for (const row of connection.prepare(sql).iterate()) rows.push(row);
    return { rows, isWhole: true };
  } catch {
    return { rows, isWhole: false };
  }
};

/** Reads from both ends up to the damage. */
const readInwards = (connection: DatabaseSync, sql: string, key: string): Reading => {
  const forwards = readRows(connection, `${sql} order by ${key}`);
  if (forwards.isWhole) return forwards;
  const descending = key.split(', ').map((column) => `${column} desc`);
  const backwards = readRows(connection, `${sql} order by ${descending.join()}`);
  return { rows: [...forwards.rows, ...backwards.rows], isWhole: false };
};

const unfinished = "state not in ('done', 'unrouted')";

const select = (where: string): string =>
  `select ${deliveryColumns} from deliveries not indexed where ${where}`;

const readDeliveries = (connection: DatabaseSync): Omit<Salvage, 'effects' | 'hasAllEffects'> => {
  const table = readInwards(connection, select(unfinished), 'id');
  const rows = [...table.rows];
  const known = new Set(rows.map(({ id }) => id));
  // What stands between damaged places is found by an index, which has pages of its own.
  const index = `select id from deliveries indexed by deliveries_state_id where ${unfinished}`;
  const names = table.isWhole ? { rows: [], isWhole: true } : readInwards(connection, index, 'state, id');
  let unreadable = 0;
  for (const { id } of names.rows) {
    if (known.has(id)) continue;
    known.add(id);
    const [row] = readRows(connection, select(`id = ${Number(id)}`)).rows;
    if (row) rows.push(row);
    else unreadable += 1;
  }
  const read = rows.map(toDelivery);
  const deliveries = read.filter(({ isIntact }) => isIntact);
  return {
    deliveries,
    unreadable: unreadable + read.length - deliveries.length,
    mayMissMore: !names.isWhole,
  };
};

/** Reads the unfinished deliveries and the notes of a damaged file; a body that fails its digest is left behind. */
export const salvage = (damagedFile: string): Salvage => {
  const connection = new sqlite.DatabaseSync(damagedFile, { readOnly: true });
  try {
    const notes = readInwards(connection, 'select delivery_id, key, value from effects', 'rowid');
    return { ...readDeliveries(connection), effects: notes.rows, hasAllEffects: notes.isWhole };
  } finally {
    connection.close();
  }
};
