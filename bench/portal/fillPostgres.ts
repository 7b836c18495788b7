import pg from 'pg';
import type { Amounts } from './fillDatabase.ts';
import { personEmail } from './people.ts';

/** The Postgres for measurements: VITRINE_TEST_POSTGRES, or the one on this machine. */
export const postgresServer =
  process.env['VITRINE_TEST_POSTGRES'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** Runs statements in order over a new connection. */
export const runOnPostgres = async (statements: readonly string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: postgresServer, connectionTimeoutMillis: 2000 });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
};

/** Inserts the users and audit records of `fillDatabase` into a portal's schema. */
export const fillPostgres = (
  schema: string,
  tenantId: number,
  { users, auditRecords }: Amounts,
): Promise<void> => {
  const now = Date.now();
  const email = (index: string) => `replace('${personEmail(0)}', '0', (${index})::text)`;
  return runOnPostgres([
    `set search_path to ${schema}`,
    `insert into users
       ("tenantId", type, email, "emailKey", "firstName", "lastName", "isActive", "createdAt", "updatedAt")
     select ${tenantId}, 'UserPass', ${email('i')}, ${email('i')}, 'Person', i::text, true, ${now}, ${now}
     from generate_series(0, ${users - 1}) as i`,
    `insert into audit_logs
       ("tenantId", id, "actionType", timestamp, "userId", "userEmail", "resourceType", "resourceId", description,
        result, "ipAddress", details)
     select ${tenantId}, i, case when i % 10 = 0 then 'UserCreated' else 'UserUpdated' end,
       ${now} - (${auditRecords} - i) * 1000::bigint, 1, ${email('i % 1000')}, 'user', (i % 1000)::text,
       'A user was changed.', 'success', '127.0.0.1', '{}'
     from generate_series(1, ${auditRecords}) as i`,
    `update tenants set "auditSeq" = ${auditRecords} where id = ${tenantId}`,
    'vacuum analyze users',
    'vacuum analyze audit_logs',
  ]);
};
