import { spawn } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

/** The results of the rounds. */
export interface CrashResult {
  /** Changes that were acknowledged before a kill. */
  readonly acknowledged: number;
  /** Errors, if any. */
  readonly failures: readonly string[];
}

const writer = fileURLToPath(new URL('crashWriter.ts', import.meta.url));

/** A portal process that is killed during writes. Returns what it acknowledged. */
const killedWriter = (database: string, round: number, afterLines: number): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--conditions=@vitrine/source', writer, database, String(round)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.split('\n').length > afterLines) child.kill('SIGKILL');
    });
    child.once('error', reject);
    child.once('close', (_code, signal) => {
      if (signal !== 'SIGKILL') reject(new Error(`The writer ended by itself: ${errors.slice(0, 500)}`));
      // The last line may be truncated.
      else resolve(text.split('\n').slice(0, -1));
    });
  });

/** Searches for partial changes: a user without its audit record, a record without its change, a missing number. */
export const inspect = (database: string, promises: readonly string[]): string[] => {
  const db = new DatabaseSync(database);
  try {
    const all = (sql: string) => db.prepare(sql).all() as Record<string, any>[];
    const failures: string[] = [];
    const records = all("select * from audit_logs where resourceType = 'User' order by id");
    const users = new Map(all('select * from users').map((user) => [String(user['id']), user]));
    const recorded = (actionType: string) =>
      new Set(
        records.filter((record) => record['actionType'] === actionType).map((record) => record['resourceId']),
      );
    const [created, updated, deleted] = [
      recorded('UserCreated'),
      recorded('UserUpdated'),
      recorded('UserDeleted'),
    ];
    for (const [id, user] of users) {
      if (!String(user['email']).startsWith('round')) continue;
      if (!created.has(id)) failures.push(`user ${id} exists without a UserCreated record`);
      if (deleted.has(id)) failures.push(`user ${id} exists although a record says it was removed`);
      if ((user['lastName'] === 'Changed') !== updated.has(id))
        failures.push(`user ${id} and its UserUpdated record disagree`);
    }
    for (const id of created)
      if (!users.has(id) && !deleted.has(id)) failures.push(`user ${id} has a record but does not exist`);
    const roles = new Map(
      all('select userId, count(*) as n from user_roles group by userId').map((row) => [
        String(row['userId']),
        row['n'],
      ]),
    );
    for (const [id, user] of users)
      if (String(user['email']).startsWith('round') && roles.get(id) !== 1)
        failures.push(`user ${id} lacks its role`);
    for (const [id] of roles) if (!users.has(id)) failures.push(`a role of the removed user ${id} is left`);
    for (const tenant of all('select id, auditSeq from tenants')) {
      const { n, top } = db
        .prepare('select count(*) as n, coalesce(max(id), 0) as top from audit_logs where tenantId = ?')
        .get(tenant['id']) as Record<string, number>;
      if (n !== tenant['auditSeq'] || top !== tenant['auditSeq'])
        failures.push(`tenant ${tenant['id']}: ${n} records, top ${top}, counter ${tenant['auditSeq']}`);
    }
    for (const promise of promises) {
      const [what, id = ''] = promise.split(' ');
      const isKept =
        what === 'created' ? created.has(id) : what === 'changed' ? updated.has(id) : deleted.has(id);
      if (!isKept) failures.push(`"${promise}" was acknowledged and is lost`);
    }
    const [integrity] = all('pragma integrity_check');
    if (integrity?.['integrity_check'] !== 'ok') failures.push('the database is damaged');
    return failures;
  } finally {
    db.close();
  }
};

/** Kills a writing portal repeatedly on the same database, and checks it after each kill. */
export const crashRounds = async (database: string, rounds: number): Promise<CrashResult> => {
  const promises: string[] = [];
  const failures: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    promises.push(...(await killedWriter(database, round, 5 + ((round * 37) % 60))));
    failures.push(...inspect(database, promises).map((failure) => `round ${round}: ${failure}`));
    if (failures.length > 0) break;
  }
  return { acknowledged: promises.length, failures };
};
