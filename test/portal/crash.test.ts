import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crashRounds, inspect } from './crash/crashRounds.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-crash-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a portal that is killed during writes', () => {
  it('keeps every acknowledged change, and no change without its audit record', async () => {
    const database = join(folder, 'killed.db');
    const result = await crashRounds(database, 3);
    expect(result.failures).toEqual([]);
    expect(result.acknowledged).toBeGreaterThan(30);
  }, 60_000);

  it.each([
    {
      what: 'a user without its audit record',
      sql: "delete from audit_logs where id = (select max(id) from audit_logs where tenantId = 101 and actionType = 'UserCreated') and tenantId = 101",
    },
    {
      what: 'an audit record without its change',
      sql: "delete from users where email like 'round%' and id = (select max(id) from users)",
    },
    {
      what: 'a user without its role',
      sql: 'delete from user_roles where userId = (select max(userId) from user_roles)',
    },
  ])(
    'control: the check detects $what',
    async ({ sql }) => {
      // A portal that was killed without damage, and one record that is then damaged.
      const database = join(folder, 'broken.db');
      await cp(join(folder, 'killed.db'), database);
      const db = new DatabaseSync(database);
      db.exec(sql);
      db.close();
      expect(inspect(database, []).length).toBeGreaterThan(0);
    },
    30_000,
  );
});
