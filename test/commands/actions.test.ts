import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { sqliteInbox } from '@vitrine/server/actions';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { hasPostgres, openPostgresInbox, postgresUrl, temporarySchema } from '../actions/support/postgres.ts';
import { clickBody } from '../actions/support/samples.ts';
import { runCommand, temporaryFolder } from './support/runCommand.ts';

/** An inbox with a handled, a dead, a parked and a pending action. */
const fill = async () => {
  const cwd = temporaryFolder();
  const inbox = sqliteInbox(join(cwd, 'actions.db'));
  const bodies = [
    JSON.stringify(clickBody()),
    JSON.stringify(clickBody()),
    'no JSON',
    JSON.stringify(clickBody()),
  ];
  for (const body of bodies)
    await inbox.append({ raw: Buffer.from(body), receivedAtMs: Date.parse('2026-11-20T08:00:00Z') });
  const [done, dead, parked] = await inbox.claim({ limit: 3, leaseMs: 60_000 });
  await inbox.settle(done!, { kind: 'done' });
  await inbox.settle(dead!, { kind: 'dead', error: 'the order desk is closed' });
  await inbox.settle(parked!, { kind: 'parked', error: 'The body is not JSON.' });
  await inbox.close();
  return { cwd };
};

describe('vitrine actions', () => {
  it('says which Postgres does not respond, without credentials', async () => {
    const place = 'postgres://user:hidden@127.0.0.1:1/x?password=hidden';
    for (const command of ['list', 'replay 1', 'discard 1']) {
      const { exitCode, stderr } = await runCommand(`actions ${command} --inbox ${place}`);
      expect([exitCode, stderr]).toEqual([
        1,
        'Could not open the inbox at 127.0.0.1:1 (ECONNREFUSED). Check that its server is running, and --inbox or VITRINE_ACTIONS_INBOX.\n',
      ]);
    }
  });

  it('lists actions, newest first', async () => {
    const { exitCode, stdout } = await runCommand('actions list', { ...(await fill()), columns: 160 });
    expect(exitCode).toBe(0);
    const lines = stdout.trim().split('\n');
    expect(lines).toHaveLength(5);
    expect(lines[1]).toMatch(/^ *4 {2}2026-11-20 08:00:00 {2}pending/);
    expect(lines[2]).toContain('The body is not JSON.');
    expect(lines[3]).toContain('the order desk is closed');
    expect(lines[4]).toMatch(/done .*Sales by region {2}sales-by-region/);
  });

  it('lists many actions completely, each once, newest first', async () => {
    const cwd = temporaryFolder();
    const inbox = sqliteInbox(join(cwd, 'actions.db'));
    await Promise.all(
      Array.from({ length: 450 }, (_, n) => inbox.append({ raw: Buffer.from(`${n}`), receivedAtMs: n })),
    );
    await inbox.close();
    const { stdout } = await runCommand('actions list --json', { cwd });
    expect(JSON.parse(stdout).map(({ id }: { id: string }) => Number(id))).toEqual(
      Array.from({ length: 450 }, (_, n) => 450 - n),
    );
  });

  it('shows binary bodies without losing a byte', async () => {
    const cwd = temporaryFolder();
    const inbox = sqliteInbox(join(cwd, 'actions.db'));
    const raw = gzipSync(JSON.stringify(clickBody()));
    await inbox.append({ raw, receivedAtMs: 0 });
    await inbox.close();
    const [row] = JSON.parse((await runCommand('actions list --body --json', { cwd })).stdout);
    expect(Buffer.from(row.bodyBase64, 'base64')).toEqual(raw);
  });

  it('shows one action, and its selection only when requested', async () => {
    const run = await fill();
    const shown = await runCommand('actions list 2', run);
    expect(shown.stdout).toContain('the order desk is closed');
    expect(shown.stdout).not.toContain('North');
    expect((await runCommand('actions list 2 --body', run)).stdout).toContain('North');
    expect((await runCommand('actions list 9', run)).stderr).toBe('No actions.\n');
  });

  it('requeues one action, a range, or all actions in a state', async () => {
    const run = await fill();
    expect((await runCommand('actions replay 1', run)).stderr).toBe('1 action is due again.\n');
    expect((await runCommand('actions replay 2..3 --state dead', run)).stderr).toBe(
      '1 action is due again.\n',
    );
    expect((await runCommand('actions replay --state parked', run)).stderr).toBe('1 action is due again.\n');
    const { stdout, stderr } = await runCommand('actions list --state pending --json', run);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toHaveLength(4);
  });

  it('skips pending actions when it makes a range due again', async () => {
    const { stderr } = await runCommand('actions replay 3..4', await fill());
    expect(stderr).toBe('1 action is due again.\n');
  });

  it.each(['replay 99', 'replay 98..99', 'discard 99'])(
    'fails for an action that is not there: %s',
    async (line) => {
      expect(await runCommand(`actions ${line}`, await fill())).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: `The inbox has no action ${line.split(' ')[1]}.\n`,
      });
    },
  );

  it('discards actions that need no handler, with a reason, and no pending ones', async () => {
    const run = await fill();
    expect((await runCommand('actions discard', run)).stderr).toContain('No actions given.');
    const { stderr } = await runCommand('actions discard 2..4 --reason closed', run);
    expect(stderr).toBe('2 actions are discarded.\n1 action is pending or already done, and not changed.\n');
    expect((await runCommand('actions discard 2..4 --reason again', run)).stderr).toBe(
      '0 actions are discarded.\n3 actions are pending or already done, and not changed.\n',
    );
    const { stdout } = await runCommand('actions list --json', run);
    expect(JSON.parse(stdout)).toMatchObject([
      { id: '4', state: 'pending' },
      { id: '3', state: 'done', lastError: 'Discarded: closed' },
      { id: '2', state: 'done', lastError: 'Discarded: closed' },
      { id: '1', state: 'done' },
    ]);
  });

  it.skipIf(!hasPostgres)('prints the SQL of the tables, which a host then uses as they are', async () => {
    const schema = temporarySchema();
    const { stdout } = await runCommand(`actions schema --schema ${schema}`);
    const client = new pg.Client({ connectionString: postgresUrl });
    await client.connect();
    await client.query(stdout);
    await client.end();
    const inbox = openPostgresInbox(schema, { onMissing: 'fail' });
    expect(await inbox.append({ raw: Buffer.from('{}'), receivedAtMs: 0 })).toEqual({ id: '1' });
  });

  it('cuts the texts of a sender in the table', async () => {
    const cwd = temporaryFolder();
    const inbox = sqliteInbox(join(cwd, 'actions.db'));
    const body = JSON.stringify(clickBody({ visualName: 'v'.repeat(4_000_000) }));
    await inbox.append({ raw: Buffer.from(body), receivedAtMs: 0 });
    await inbox.close();
    const { stdout } = await runCommand('actions list', { cwd });
    expect(stdout).toContain('vvv');
    expect(stdout.length).toBeLessThan(1000);
  });

  it('rejects a range whose end is before its start', async () => {
    const { stderr } = await runCommand('actions replay 9..3', await fill());
    expect(stderr).toContain('The range 9..3 ends before it begins. Write 3..9.');
  });

  it.skipIf(!hasPostgres)('uses the given schema and creates no tables', async () => {
    const [schema, other] = [temporarySchema(), temporarySchema()];
    await openPostgresInbox(schema).append({
      raw: Buffer.from(JSON.stringify(clickBody())),
      receivedAtMs: 0,
    });
    const list = (name: string) =>
      runCommand(`actions list --json --inbox ${postgresUrl} --schema ${name}`, { cwd: temporaryFolder() });
    expect(JSON.parse((await list(schema)).stdout)).toMatchObject([{ id: '1', state: 'pending' }]);
    for (let n = 0; n < 2; n += 1)
      expect((await list(other)).stderr).toContain(
        `The schema "${other}" of this database does not contain an action inbox.`,
      );
  });

  it('gives programs the bodies of a range unchanged, oldest first', async () => {
    const { stdout } = await runCommand('actions list 1..9 --body --json', await fill());
    const rows = JSON.parse(stdout);
    expect(rows.map(({ id, state }: { id: string; state: string }) => [id, state])).toEqual([
      ['1', 'done'],
      ['2', 'dead'],
      ['3', 'parked'],
      ['4', 'pending'],
    ]);
    expect(JSON.parse(rows[0].body)).toEqual(clickBody());
    expect(rows[2].body).toBe('no JSON');
  });

  it('does not change an empty file, and suggests what to check', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'nothing.db'), '');
    const { exitCode, stderr } = await runCommand('actions list --inbox nothing.db', { cwd });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/no inbox at .*Set its path/);
    expect(readFileSync(join(cwd, 'nothing.db'))).toHaveLength(0);
  });

  it.each([
    ['actions replay', /No actions given/],
    ['actions replay all', /"all" is not an action/],
    ['actions list --state lost', /'lost' is invalid. Allowed choices are pending, done/],
    ['actions list --inbox nowhere.db', /no inbox at .*nowhere\.db/],
  ])('`vitrine %s` fails and shows the correct usage', async (line, message) => {
    const { exitCode, stderr } = await runCommand(line, await fill());
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(message);
  });
});
