import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Tables } from '../tables/tables.ts';
import { countUsersAndClamps } from './countUsersAndClamps.ts';
import { orderAuditByTime } from './orderAuditByTime.ts';
import { createSchemaBuilder, type DatabaseKind } from './schemaBuilder.ts';
import { createContentTables } from './service/createContentTables.ts';
import { createLogTables } from './service/createLogTables.ts';
import { createPeopleTables } from './service/createPeopleTables.ts';
import { createReportRowTables } from './service/createReportRowTables.ts';
import { createTenantTables } from './service/createTenantTables.ts';

/** The one set of migrations, for both databases. */
export const createMigrations = (kind: DatabaseKind): Record<string, Migration> => ({
  '001_service': {
    up: async (db: Kysely<Tables>) => {
      const schema = createSchemaBuilder(db, kind);
      await createTenantTables(schema);
      await createPeopleTables(schema);
      await createContentTables(schema);
      await createReportRowTables(schema);
      await createLogTables(schema);
    },
  },
  '002_audit_by_time': {
    up: (db: Kysely<Tables>) => orderAuditByTime(db, createSchemaBuilder(db, kind)),
  },
  '003_count_users_and_clamps': { up: countUsersAndClamps },
});
