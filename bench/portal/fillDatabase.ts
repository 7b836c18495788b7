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
    `insert into users (tenantId, type, email, emailKey, firstName, lastName, isActive, createdAt, updatedAt)
     values (?, 'UserPass', ?, ?, 'Person', ?, 1, ?, ?)`,
  );
  const now = Date.now();
  for (let index = 0; index < users; index += 1) {
    addUser.run(tenantId, personEmail(index), personEmail(index), String(index), now, now);
  }
  const { auditSeq: last } = database.prepare('select auditSeq from tenants where id = ?').get(tenantId) as {
    auditSeq: number; // the portal's own column
  };
  const addRecord = database.prepare(
    `insert into audit_logs (tenantId, id, actionType, timestamp, userId, userEmail, resourceType, resourceId,
       description, result, ipAddress, details)
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
  database.prepare('update tenants set auditSeq = ? where id = ?').run(last + auditRecords, tenantId);
  database.exec('commit; analyze; pragma wal_checkpoint(truncate)');
  database.close();
};
