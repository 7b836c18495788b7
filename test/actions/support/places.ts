import { join } from 'node:path';
import { hasPostgres, postgresUrl, temporarySchema } from './postgres.ts';
import { temporaryFolder } from './samples.ts';

/** The databases of an inbox; `create` gives a fresh place for a test, see `openInbox`. */
export const places = [
  { database: 'SQLite', isThere: true, create: () => join(temporaryFolder(), 'actions.db') },
  { database: 'Postgres', isThere: hasPostgres, create: () => `${postgresUrl}#${temporarySchema()}` },
] as const;
