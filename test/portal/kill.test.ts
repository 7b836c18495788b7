import { fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { PortalTenant } from '@vitrine/portal';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createRandom, type Random } from '../support/createRandom.ts';
import { seed } from '../support/seed.ts';
import { sized } from '../support/size.ts';
import { type AdminAnswer, administer } from './administer.ts';
import { testDatabases } from './databases.ts';
import type { Death, PortalProcessOptions } from './killedPortal.ts';

/** What the portal has acknowledged about a user of the writers. */
interface UserEntry {
  readonly id: string;
  /** Changes that were acknowledged. */
  version: number;
  /** Whether the request in flight when the portal was killed was a removal. */
  state: 'there' | 'removed' | 'removal in doubt';
}

/** Everything the portal has acknowledged. */
interface Ledger {
  readonly users: Map<string, UserEntry>;
  readonly roleIds: Set<string>;
  readonly unitIds: Set<string>;
  readonly syncedUnitIds: Set<string>;
  /** Rows that existed before anybody wrote. */
  readonly seeded: {
    readonly users: ReadonlySet<string>;
    readonly roles: ReadonlySet<string>;
    readonly units: ReadonlySet<string>;
  };
}

/** Roles and units of a user after that many changes: all of one request, or none of it. */
const belongings = (version: number) => ({
  lastName: `v${version}`,
  roles: version % 2 === 0 ? ['Region North', 'Viewer'] : ['Viewer'],
  organizationUnits: version % 2 === 0 ? ['1', '2'] : ['1'],
});

/** The number of changes that a user shows. */
const versionOf = (lastName: string): number => Number(lastName.slice(1));

/** What writers share. */
interface WriterOptions {
  readonly tenant: PortalTenant;
  readonly ledger: Ledger;
  readonly random: Random;
  /** Makes names unique. */
  readonly nextNumber: () => number;
  /** Directory group for syncing units. */
  readonly directoryGroupId: string;
  /** Called after every acknowledged change. */
  readonly onAcknowledged: () => void;
}

const idOf = (answer: AdminAnswer, wanted: number): string => {
  if (answer.status !== wanted) throw new Error(`status ${answer.status} in place of ${wanted}`);
  return String(answer.body?.id);
};

/** Writes until the portal is gone. Resolves to any other error; `undefined` if there was none. */
const writeUntilDeath = async (options: WriterOptions): Promise<string | undefined> => {
  const { tenant, ledger, random, nextNumber } = options;
  const mine: UserEntry[] = [];

  const createUser = async () => {
    const number = nextNumber();
    const body = {
      type: 'UserPass',
      email: `writer-${number}@acme.example`,
      firstName: 'Writer',
      ...belongings(0),
    };
    const id = idOf(await administer(tenant, 'POST /v1/users', { body }), 201);
    const entry: UserEntry = { id, version: 0, state: 'there' };
    ledger.users.set(id, entry);
    mine.push(entry);
  };
  const changeUser = async () => {
    const entry = mine.at(-1);
    if (entry === undefined) return createUser();
    const body = belongings(entry.version + 1);
    idOf(await administer(tenant, `PATCH /v1/users/${entry.id}`, { body }), 200);
    entry.version += 1;
  };
  const removeUser = async () => {
    const entry = mine.pop();
    if (entry === undefined) return createUser();
    entry.state = 'removal in doubt';
    idOf(await administer(tenant, `DELETE /v1/users/${entry.id}`), 204);
    entry.state = 'removed';
  };
  const createRole = async () => {
    const number = nextNumber();
    const body = { name: `Role ${number}`, type: 'RLS', code: `role-${number}`, description: '' };
    ledger.roleIds.add(idOf(await administer(tenant, 'POST /v1/roles', { body }), 201));
  };
  const createAndSync = async () => {
    const body = {
      name: `Unit ${nextNumber()}`,
      parentId: 'root',
      directoryGroupId: options.directoryGroupId,
    };
    const id = idOf(await administer(tenant, 'POST /v1/organization-units', { body }), 201);
    ledger.unitIds.add(id);
    idOf(await administer(tenant, `POST /v1/organization-units/${id}/sync`), 202);
    ledger.syncedUnitIds.add(id);
  };

  const acts = [
    createUser,
    createUser,
    changeUser,
    changeUser,
    changeUser,
    removeUser,
    createRole,
    createAndSync,
  ] as const;
  try {
    for (;;) {
      await random.pick(acts)();
      options.onAcknowledged();
    }
  } catch (error) {
    // A portal that is gone causes a failed fetch; anything else is an error.
    return error instanceof TypeError ? undefined : String(error);
  }
};

type Row = Readonly<Record<string, any>>;

const readAll = async (tenant: PortalTenant, list: string): Promise<Row[]> => {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await administer(tenant, `GET /v1/${list}?page=${page}&pageSize=200`);
    rows.push(...body.items);
    if (rows.length >= body.totalCount || body.items.length === 0) return rows;
  }
};

const idsOf = (rows: readonly Row[]): ReadonlySet<string> => new Set(rows.map(({ id }) => String(id)));

/** The rows of a portal before anybody writes. */
const readSeeded = async (tenant: PortalTenant): Promise<Ledger['seeded']> => ({
  users: idsOf(await readAll(tenant, 'users')),
  roles: idsOf(await readAll(tenant, 'roles')),
  units: idsOf(await readAll(tenant, 'organization-units')),
});

/** The number of records of a type for each resource. */
const countRecords = (records: readonly Row[]): ((actionType: string, id: string | number) => number) => {
  const counts = new Map<string, number>();
  for (const { actionType, resourceId } of records) {
    const key = `${actionType} ${resourceId}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return (actionType, id) => counts.get(`${actionType} ${id}`) ?? 0;
};

const same = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);
const sorted = (values: readonly string[]): readonly string[] => [...values].sort();

/** Every partial, lost or unrecorded change in a restarted portal; empty if there is none. */
const inspect = async (tenant: PortalTenant, ledger: Ledger): Promise<readonly string[]> => {
  const users = await readAll(tenant, 'users');
  const roles = await readAll(tenant, 'roles');
  const units = await readAll(tenant, 'organization-units');
  const records = await readAll(tenant, 'audit-logs');
  const recorded = countRecords(records);
  const wrong: string[] = [];
  const complainUnless = (holds: boolean, what: string) => {
    if (!holds) wrong.push(what);
  };

  const byId = new Map(users.map((user) => [String(user['id']), user]));
  for (const { id, version, state } of ledger.users.values()) {
    const user = byId.get(id);
    if (state === 'there') complainUnless(user !== undefined, `the acknowledged user ${id} is lost`);
    if (state === 'removed') complainUnless(user === undefined, `the removed user ${id} is back`);
    complainUnless(
      recorded('UserDeleted', id) === (user === undefined ? 1 : 0),
      `user ${id} is ${user === undefined ? 'gone' : 'there'} with ${recorded('UserDeleted', id)} records of its removal`,
    );
    const shown = user === undefined ? version : versionOf(user['lastName']);
    complainUnless(shown >= version, `user ${id} shows ${shown} of ${version} acknowledged changes`);
  }
  for (const user of users) {
    const { id } = user;
    if (ledger.seeded.users.has(String(id))) continue;
    complainUnless(
      recorded('UserCreated', id) === 1,
      `user ${id} has ${recorded('UserCreated', id)} records of its creation`,
    );
    if (!String(user['email']).startsWith('writer-')) continue;
    const version = versionOf(user['lastName']);
    const wanted = belongings(version);
    complainUnless(
      same(sorted(user['roles']), wanted.roles) &&
        same(sorted(user['organizationUnits']), wanted.organizationUnits),
      `user ${id} is half changed: ${JSON.stringify(user)}`,
    );
    complainUnless(
      recorded('UserUpdated', id) === version,
      `user ${id} shows ${version} changes and has ${recorded('UserUpdated', id)} records of them`,
    );
  }
  for (const [what, rows, seeded, acknowledged, actionType] of [
    ['role', roles, ledger.seeded.roles, ledger.roleIds, 'RoleCreated'],
    ['unit', units, ledger.seeded.units, ledger.unitIds, 'OrganizationUnitCreated'],
  ] as const) {
    const there = idsOf(rows);
    for (const id of acknowledged) complainUnless(there.has(id), `the acknowledged ${what} ${id} is lost`);
    for (const id of there)
      complainUnless(
        seeded.has(id) || recorded(actionType, id) === 1,
        `${what} ${id} has ${recorded(actionType, id)} records of its creation`,
      );
    const phantom = records.find(
      (record) => record['actionType'] === actionType && !there.has(String(record['resourceId'])),
    );
    complainUnless(
      phantom === undefined,
      `a record of a ${what} that is not there: ${phantom?.['resourceId']}`,
    );
  }
  for (const { id, memberCount } of units.filter((unit) => !ledger.seeded.units.has(String(unit['id'])))) {
    const syncs = recorded('OrganizationUnitSynced', id);
    complainUnless(
      memberCount > 0 === syncs > 0,
      `unit ${id} has ${memberCount} members and ${syncs} records of a synchronization`,
    );
    complainUnless(
      syncs > 0 || !ledger.syncedUnitIds.has(String(id)),
      `the acknowledged synchronization of ${id} is lost`,
    );
  }
  return wrong;
};

/** A portal in another process. */
interface PortalProcess {
  readonly tenant: PortalTenant;
  /** Makes the process kill itself between two statements. */
  readonly dieAt: (death: Death) => void;
  /** Kills the process with SIGKILL, and waits for its end. */
  readonly kill: () => Promise<void>;
}

/** Starts a portal in its own process, on a free port. */
const startPortalProcess = async (options: PortalProcessOptions): Promise<PortalProcess> => {
  const child = fork(new URL('killedPortal.ts', import.meta.url), {
    execArgv: ['--conditions=@vitrine/source'],
    env: { ...process.env, VITRINE_KILL: JSON.stringify(options) },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let complaints = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  const gone = once(child, 'exit');
  const tenant = await Promise.race([
    once(child, 'message').then(([message]) => message as PortalTenant), // killedPortal.ts sends exactly this
    gone.then(() => {
      throw new Error(`The portal did not start: ${complaints}`);
    }),
  ]);
  return {
    tenant,
    dieAt: (death) => void child.send(death),
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
};

/** How a portal is killed, and how often. */
interface KillOptions {
  readonly database: string;
  readonly rounds: number;
  /** Repeats the same choices. */
  readonly seed: number;
  /** By its parent at any moment, or by itself between two statements. */
  readonly from: 'outside' | 'inside';
  /** Omits transactions, and kills between a change and its audit record: every kill must be detected. */
  readonly isUnsafe?: boolean;
}

/** The results of the rounds. */
interface KillResult {
  readonly wrong: readonly string[];
  readonly ledger: Ledger;
}

const writers = 4;

/**
 * Kills a portal during administrative writes, restarts it on the same database and searches for partial, lost or
 * unrecorded changes; repeats until something is wrong or all rounds are complete.
 */
const killRounds = async ({
  database,
  rounds,
  seed,
  from,
  isUnsafe = false,
}: KillOptions): Promise<KillResult> => {
  const random = createRandom(seed);
  let number = 0;
  let ledger: Ledger | undefined;
  for (let round = 0; ; round += 1) {
    const victim = await startPortalProcess({ database, isUnsafe });
    ledger ??= {
      users: new Map(),
      roleIds: new Set(),
      unitIds: new Set(),
      syncedUnitIds: new Set(),
      seeded: await readSeeded(victim.tenant),
    };
    const wrong = await inspect(victim.tenant, ledger);
    if (wrong.length > 0 || round === rounds) {
      await victim.kill();
      return { wrong, ledger };
    }
    const { body } = await administer(victim.tenant, 'GET /v1/organization-units');
    const { directoryGroupId } = body.items.find((unit: any) => unit.directoryGroupId !== null);
    const known = ledger;
    if (from === 'inside')
      victim.dieAt({
        afterStatements: 40 + random.below(160),
        ...(isUnsafe && { beforeStatement: 'insert into "audit_logs"' }),
      });
    let left = 3 + random.below(40);
    const troubles = await Promise.all(
      Array.from({ length: writers }, () =>
        writeUntilDeath({
          tenant: victim.tenant,
          ledger: known,
          random,
          nextNumber: () => ++number,
          directoryGroupId,
          onAcknowledged: () => {
            left -= 1;
            if (from === 'outside' && left === 0) void victim.kill();
          },
        }),
      ),
    );
    await victim.kill();
    const trouble = troubles.filter((each) => each !== undefined);
    if (trouble.length > 0) return { wrong: trouble, ledger };
  }
};

const [, postgres] = await testDatabases('kill');

const folder = mkdtempSync(join(tmpdir(), 'vitrine-kill-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fileOf = (name: string): string => join(folder, name);

const timeout = 1_800_000;
const [inside, outside, onPostgres] = [sized(2, 100), sized(2, 100), sized(2, 30)];

describe('a portal that is killed while it writes', () => {
  let written: Ledger;

  it(`has no partial, lost or unrecorded change after ${inside} kills between two statements`, {
    timeout,
  }, async () => {
    const { wrong } = await killRounds({
      database: fileOf('inside.db'),
      rounds: inside,
      seed,
      from: 'inside',
    });
    expect(wrong, `VITRINE_SEED=${seed}`).toEqual([]);
  });

  it(`has no partial, lost or unrecorded change after ${outside} kills at any moment`, {
    timeout,
  }, async () => {
    const database = fileOf('outside.db');
    const { wrong, ledger } = await killRounds({ database, rounds: outside, seed, from: 'outside' });
    expect(wrong, `VITRINE_SEED=${seed}`).toEqual([]);
    written = ledger;
  });

  it.skipIf(postgres === undefined)(
    `has no partial, lost or unrecorded change after ${onPostgres} kills at any moment on Postgres`,
    { timeout },
    async () => {
      onTestFinished(() => postgres?.drop());
      const { wrong } = await killRounds({
        database: postgres?.address ?? '',
        rounds: onPostgres,
        seed,
        from: 'outside',
      });
      expect(wrong, `VITRINE_SEED=${seed}`).toEqual([]);
    },
  );

  it('control: the same check detects partial changes of a portal without transactions', {
    timeout: 120_000,
  }, async () => {
    const { wrong } = await killRounds({
      database: fileOf('unsafe.db'),
      rounds: 1,
      seed: 1,
      from: 'inside',
      isUnsafe: true,
    });
    expect(wrong).not.toEqual([]);
  });

  it.each([
    {
      what: 'a user without its audit record',
      sql: "delete from audit_logs where actionType = 'UserCreated' and resourceId = ?",
      complaint: /has 0 records of its creation/,
    },
    {
      what: 'an audit record without its change',
      sql: 'delete from users where id = ?',
      complaint: /is gone with 0 records of its removal/,
    },
    {
      what: 'a user without its role',
      sql: 'delete from user_roles where userId = ?',
      complaint: /is half changed/,
    },
  ])('control: the same check detects $what', async ({ what, sql, complaint }) => {
    // A portal that was killed without damage, and one row that is then removed.
    const database = fileOf(`${what}.db`);
    // The newest rows may still be in the log.
    for (const suffix of ['', '-wal'])
      if (existsSync(fileOf('outside.db') + suffix))
        copyFileSync(fileOf('outside.db') + suffix, database + suffix);
    const kept = [...written.users.values()].findLast(({ state }) => state === 'there');
    const db = new DatabaseSync(database);
    expect(db.prepare(sql).run(kept?.id ?? '').changes).toBeGreaterThan(0);
    db.close();
    const damaged = await startPortalProcess({ database, isUnsafe: false });
    onTestFinished(() => damaged.kill());
    expect((await inspect(damaged.tenant, written)).join()).toMatch(complaint);
  });
});
