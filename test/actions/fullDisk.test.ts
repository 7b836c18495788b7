import { join } from 'node:path';
import { type InboxDiagnostic, type SqliteInboxOptions, sqliteInbox } from '@vitrine/actions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canMount, mountDisk } from '../support/mountDisk.ts';
import { numberIn } from './support/receiverProcess.ts';
import { clickBody, temporaryFolder } from './support/samples.ts';

const body = (n: number) => Buffer.from(JSON.stringify(clickBody({ reportName: `event-${n}-` })));

/** An inbox on a disk of 256 KiB. */
const openOnSmallDisk = (options: SqliteInboxOptions) => {
  const disk = mountDisk('256k');
  const diagnostics: InboxDiagnostic[] = [];
  const inbox = sqliteInbox(join(disk.folder, 'actions.db'), options);
  inbox.onDiagnostic?.((item) => diagnostics.push(item));
  onTestFinished(() => inbox.close());
  const fill = async (count: number) => {
    const acknowledged: number[] = [];
    for (let n = 0; n < count; n += 1)
      await inbox.append({ raw: body(n), receivedAtMs: Date.now() }).then(
        () => acknowledged.push(n),
        () => undefined,
      );
    return acknowledged;
  };
  return { inbox, diagnostics, fill, grow: disk.grow };
};

describe.skipIf(!canMount)('a full disk (needs permission to mount one)', () => {
  it('stores events in the spill folder and imports them when there is space again', async () => {
    const { inbox, diagnostics, fill, grow } = openOnSmallDisk({
      spillFolder: join(temporaryFolder(), 'spill'),
    });
    const acknowledged = await fill(600);
    expect(acknowledged).toHaveLength(600);
    expect(diagnostics.some(({ kind }) => kind === 'spilling')).toBe(true);
    const { counts, ...health } = await inbox.health();
    expect(health).toEqual({ canPersist: false, isSpilling: true, spilled: 600 - Number(counts?.pending) });
    expect(counts?.pending).toBeGreaterThan(0);
    expect(grow()).toBe(true);
    await expect
      .poll(async () => (await inbox.list({ limit: 1000 }).catch(() => [])).length, { timeout: 50_000 })
      .toBe(600);
    const stored = new Set((await inbox.list({ limit: 1000 })).map(({ raw }) => numberIn(raw)));
    expect(acknowledged.filter((n) => !stored.has(n))).toEqual([]);
    expect(diagnostics.some(({ kind }) => kind === 'recovered')).toBe(true);
  });

  it('control: rejects events when spilling is off, so that the loss is visible', async () => {
    const { inbox, fill, grow } = openOnSmallDisk({ spillFolder: false });
    const acknowledged = await fill(600);
    expect(acknowledged.length).toBeLessThan(600);
    expect(await inbox.health()).toMatchObject({ canPersist: false, isSpilling: false });
    expect(grow()).toBe(true);
    await inbox.append({ raw: body(600), receivedAtMs: Date.now() });
    expect(await inbox.health()).toMatchObject({ canPersist: true });
    await expect
      .poll(async () => (await inbox.list({ limit: 1000 }).catch(() => [])).length, { timeout: 50_000 })
      .toBeGreaterThanOrEqual(acknowledged.length);
  });
});
