import { DatabaseSync } from 'node:sqlite';
import { personEmail } from './people.ts';

export interface Amounts {
  readonly users: number;
  readonly auditRecords: number;
}

/** Inserts users and audit records directly into a portal's database file: the API would take hours. */
export const fillDatabase = (file: string, tenantId: number, { users, auditRecords }: Amounts): void => {
  const database = new DatabaseSync(file);
  database.exec('pragma synchronous = off; begin');
  const addUser = database.prepare(
    `insert into users (tenant_id, type, email, email_key, first_name, last_name, is_active, created_at, updated_at)
     values (?, 'UserPass', ?, ?, 'Person', ?, 1, ?, ?)`,
  );
  const now = Date.now();
  for (let index = 0; index < users; index += 1) {
    addUser.run(tenantId, personEmail(index), personEmail(index), String(index), now, now);
  }
  const { audit_seq: last } = database
    .prepare('select audit_seq from tenants where id = ?')
    .get(tenantId) as {
    audit_seq: number; // the portal's own column
  };
  const addRecord = database.prepare(
    `insert into audit_logs (tenant_id, seq, action_type, at, user_id, user_email, resource_type, resource_id,
       description, result, ip_address, details)
     values (?, ?, ?, ?, 1, ?, 'user', ?, 'A user was changed.', 'success', '127.0.0.1', '{}')`,
  );
  for (let seq = last + 1; seq <= last + auditRecords; seq += 1) {
    const type = seq % 10 === 0 ? 'UserCreated' : 'UserUpdated';
    addRecord.run(
      tenantId,
      seq,
      type,
      now - (auditRecords - seq) * 1000,
      personEmail(seq % 1000),
      String(seq % 1000),
    );
  }
  database.prepare('update tenants set audit_seq = ? where id = ?').run(last + auditRecords, tenantId);
  database.exec('commit; analyze; pragma wal_checkpoint(truncate)');
  database.close();
};
