import { sha256 } from '../../sha256.ts';
import type { Database } from './database.ts';
import { createDuplicateFinder } from './duplicateFinder.ts';
import type { DeliveryNotes } from './messages.ts';

/** A delivery on its way into the table. */
export interface IncomingDelivery {
  readonly raw: Uint8Array;
  readonly receivedAtMs: number;
  readonly notes: DeliveryNotes | null;
  /** Key of a spilled delivery, which is written once however often it is taken over. */
  readonly spillKey: string | null;
}

/** Writes deliveries into an open inbox, and flags those whose bytes came before. */
export interface DeliveryWriter {
  /** Begins a transaction. */
  begin(): void;
  /** Inside the transaction; `undefined` when a spilled delivery was there already. */
  insert(
    delivery: IncomingDelivery,
  ): { readonly id: number; readonly duplicateOf: number | null } | undefined;
}

/** Creates the writer of one connection. It ends with it: after a failed commit its memory is worth nothing. */
export const createDeliveryWriter = (database: Database, duplicateWindowMs: number): DeliveryWriter => {
  const duplicates = createDuplicateFinder(database);
  const statement = database.statement(
    `insert into deliveries (received_at, due_at, raw, digest, duplicate_of, source, encoding, is_rebuilt, spill_key)
     values (?, 0, ?, ?, ?, ?, ?, ?, ?) on conflict (spill_key) where spill_key is not null do nothing`,
  );
  return {
    begin() {
      database.statement('begin immediate').run();
      duplicates.catchUp();
    },
    insert({ raw, receivedAtMs, notes, spillKey }) {
      const digest = sha256(raw);
      const duplicateOf = duplicates.find(digest, receivedAtMs - duplicateWindowMs);
      const { changes, lastInsertRowid } = statement.run(
        receivedAtMs,
        raw,
        digest,
        duplicateOf,
        notes?.source ?? null,
        notes?.encoding ?? null,
        notes?.isRebuilt ? 1 : 0,
        spillKey,
      );
      if (changes === 0) return undefined;
      const id = Number(lastInsertRowid);
      duplicates.add(id, digest);
      return { id, duplicateOf };
    },
  };
};
