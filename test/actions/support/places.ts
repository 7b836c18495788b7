import { join } from 'node:path';
import { isLong } from '../../support/size.ts';
import { hasPostgres, postgresUrl, temporarySchema } from './postgres.ts';
import { temporaryFolder } from './samples.ts';

/** The databases of an inbox; `create` returns a new location for a test, see `openInbox`. */
export const places = [
  { database: 'SQLite', isThere: true, create: () => join(temporaryFolder(), 'actions.db') },
  { database: 'Postgres', isThere: hasPostgres, create: () => `${postgresUrl}#${temporarySchema()}` },
] as const;

/** For behavior that is the same on every database: all of them in a long run, SQLite otherwise. */
export const placesWhereItIsAlike = isLong ? places : [places[0]];
