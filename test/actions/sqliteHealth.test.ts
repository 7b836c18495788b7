import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createActions, sqliteInbox } from '@vitrine/server/actions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { numberedBody, secret, temporaryFolder } from './support/samples.ts';
import { webhook } from './support/webhook.ts';

const open = (file: string) => {
  const actions = createActions({
    secrets: secret,
    inbox: sqliteInbox(file),
    audience: 'nobody',
    dispatch: false,
    logger: false,
  });
  onTestFinished(() => actions.close(0));
  const post = async () => {
    const { status } = await actions.receive(webhook(String(numberedBody(1))));
    return status;
  };
  return { actions, post };
};

describe('the health of a SQLite inbox', () => {
  it('says canPersist: false after another program has locked the file for long', async () => {
    const file = join(temporaryFolder(), 'actions.db');
    const { actions, post } = open(file);
    expect([await post(), await actions.health()]).toMatchObject([202, { canPersist: true }]);
    const other = new DatabaseSync(file);
    onTestFinished(() => other.close());
    other.exec('begin immediate');
    expect(await post()).toBe(503);
    // Counting needs no lock.
    expect(await actions.health()).toMatchObject({ canPersist: false, counts: { pending: 1 } });
    other.exec('rollback');
    expect([await post(), await actions.health()]).toMatchObject([202, { canPersist: true }]);
  });

  it('rejects a delivery after five seconds of a lock, however many calls wait for it', async () => {
    const file = join(temporaryFolder(), 'actions.db');
    const inbox = sqliteInbox(file);
    onTestFinished(() => inbox.close());
    const other = new DatabaseSync(file);
    onTestFinished(() => other.close());
    other.exec('begin immediate');
    const startMs = performance.now();
    const claims = [1, 2].map(() => inbox.claim({ limit: 1, leaseMs: 1000 }));
    const stored = inbox.append({ raw: numberedBody(1), receivedAtMs: Date.now() });
    const ended = await Promise.allSettled([...claims, stored]);
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(performance.now() - startMs).toBeLessThan(9000);
  });

  it('does not stop the event loop while another program holds the lock for a moment', async () => {
    const file = join(temporaryFolder(), 'actions.db');
    const { post } = open(file);
    await post();
    const other = new DatabaseSync(file);
    onTestFinished(() => other.close());
    other.exec('begin immediate');
    const stored = post();
    let turns = 0;
    for (const endMs = performance.now() + 500; performance.now() < endMs; turns += 1)
      await new Promise((resolve) => setTimeout(resolve, 1));
    other.exec('rollback');
    expect(await stored).toBe(202);
    // A lock that SQLite itself waits for would leave none.
    expect(turns).toBeGreaterThan(10);
  });

  it('says canPersist: false after its file was removed, because stored deliveries may be lost', async () => {
    const file = join(temporaryFolder(), 'actions.db');
    const { actions, post } = open(file);
    expect([await post(), await actions.health()]).toMatchObject([202, { canPersist: true }]);
    for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`);
    expect([await post(), await actions.health()]).toMatchObject([202, { canPersist: false }]);
  });

  it('says canPersist: false after it is closed', async () => {
    const { actions } = open(':memory:');
    expect(await actions.health()).toMatchObject({ canPersist: true });
    await actions.close(0);
    expect(await actions.health()).toMatchObject({ canPersist: false });
  });
});
