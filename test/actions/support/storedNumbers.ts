import { DatabaseSync } from 'node:sqlite';
import { numberIn } from './receiverProcess.ts';

/** Numbers of the events that an inbox file holds. */
export const storedNumbers = (file: string): ReadonlySet<number> => {
  const database = new DatabaseSync(file);
  const rows = database.prepare('select raw from deliveries').all();
  database.close();
  // The column is a blob.
  return new Set(rows.map(({ raw }) => numberIn(raw as Uint8Array)));
};
