import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqliteInbox } from '@vitrine/actions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { numberedBody, temporaryFolder } from './support/samples.ts';

describe('the health of a SQLite inbox', () => {
  it('responds at once with canPersist: false while another program locks the file', async () => {
    const file = join(temporaryFolder(), 'actions.db');
    const inbox = sqliteInbox(file);
    onTestFinished(() => inbox.close());
    await inbox.append({ raw: numberedBody(1), receivedAtMs: 1 });
    const other = new DatabaseSync(file);
    onTestFinished(() => other.close());
    other.exec('begin immediate');
    const startMs = performance.now();
    const counts = Promise.all([inbox.health(), inbox.health()]);
    const unknown = { canPersist: false };
    expect(await counts).toEqual([unknown, unknown]);
    expect(performance.now() - startMs).toBeLessThan(4000);
    other.exec('rollback');
    await expect.poll(() => inbox.health(), { timeout: 20_000 }).toMatchObject({ canPersist: true });
  });

  it('reports canPersist: false after it is closed', async () => {
    const inbox = sqliteInbox(':memory:');
    expect(await inbox.health()).toMatchObject({ canPersist: true });
    await inbox.close();
    expect(await inbox.health()).toMatchObject({ canPersist: false });
  });
});
