import type { Kysely } from 'kysely';
import type { Tables } from '../database/schema.ts';

/** Context of writing a seed. */
export interface SeedContext {
  /** The transaction of the whole seed. */
  readonly db: Kysely<Tables>;
  readonly nowMs: number;
  readonly randomBytes: (size: number) => Buffer;
}
