import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables/tables.ts';

/** How long the log of deliveries gets. */
export interface KeepNewestOptions {
  /** Entries kept; the oldest go first. */
  readonly keep: number;
  /** Entries written between two cuts: the log holds at most so many more than are kept. */
  readonly every: number;
}

/**
 * Makes the function that is told how many entries were written, and cuts the log when it is due. The first call cuts,
 * so that a portal that is often restarted keeps no more either.
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
