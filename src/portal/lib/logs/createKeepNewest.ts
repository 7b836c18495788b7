import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables/tables.ts';

/** Limits of the delivery log. */
export interface KeepNewestOptions {
  /** Number of entries to keep; the oldest are removed. */
  readonly keep: number;
  /** Entries written between two cuts: the log exceeds its limit by at most this number. */
  readonly every: number;
}

/**
 * Creates the function that counts written entries and trims the log when due. The first call trims, so that frequent
 * restarts do not exceed the limit.
 */
export const createKeepNewest = (db: Kysely<Tables>, { keep, every }: KeepNewestOptions) => {
  let sinceCut = every;
  return async (written: number): Promise<void> => {
    sinceCut += written;
    if (sinceCut < every) return;
    sinceCut = 0;
    await db
      .deleteFrom('delivery_log')
      .where('id', '<=', (query) =>
        query
          .selectFrom('delivery_log')
          .select((builder) => builder(builder.fn.max('id'), '-', keep).as('last')),
      )
      .execute();
  };
};
