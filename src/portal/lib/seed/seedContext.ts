import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables/tables.ts';

/** What writing a seed needs. */
export interface SeedContext {
  /** The transaction of the whole seed. */
  readonly db: Kysely<Tables>;
  readonly nowMs: number;
  readonly randomBytes: (size: number) => Buffer;
}
