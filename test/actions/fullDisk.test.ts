import { join } from 'node:path';
import { sqliteInbox } from '@vitrine/server/actions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canMount, mountDisk } from '../support/mountDisk.ts';
import { numberIn } from './support/receiverProcess.ts';
import { clickBody } from './support/samples.ts';

const body = (n: number) => Buffer.from(JSON.stringify(clickBody({ reportName: `event-${n}-` })));

describe.skipIf(!canMount)('a full disk (needs permission to mount one)', () => {
  it('rejects events, so that the loss is visible, and stores them when there is space again', async () => {
    const disk = mountDisk('256k');
    const inbox = sqliteInbox(join(disk.folder, 'actions.db'));
    onTestFinished(() => inbox.close());
    const deliver = (n: number) => inbox.append({ raw: body(n), receivedAtMs: Date.now() });
    const acknowledged: number[] = [];
    for (let n = 0; n < 600; n += 1)
      await deliver(n).then(
        () => acknowledged.push(n),
        () => undefined,
      );
    expect(acknowledged.length).toBeLessThan(600);
    expect(disk.grow()).toBe(true);
    await deliver(600);
    const stored = await inbox.list({ limit: 1000, from: '1' });
    expect(stored.map(({ raw }) => numberIn(raw))).toEqual([...acknowledged, 600]);
  });
});
