import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Tables } from '../tables/tables.ts';
import { countUsersAndClamps } from './countUsersAndClamps.ts';
import { createServiceTables } from './createServiceTables.ts';
import { foldEmailKeys } from './foldEmailKeys.ts';
import { orderAuditByTime } from './orderAuditByTime.ts';
import { createSchemaBuilder, type DatabaseKind } from './schemaBuilder.ts';

/** The migrations, for both databases. */
export const createMigrations = (kind: DatabaseKind): Record<string, Migration> => ({
  '001_service': {
    up: (db: Kysely<Tables>) => createServiceTables(createSchemaBuilder(db, kind)),
  },
  '002_audit_by_time': {
    up: (db: Kysely<Tables>) => orderAuditByTime(db, createSchemaBuilder(db, kind)),
  },
  '003_count_users_and_clamps': { up: countUsersAndClamps },
  '004_email_keys': { up: foldEmailKeys },
});
