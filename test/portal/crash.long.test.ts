import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sized } from '../support/size.ts';
import { crashRounds } from './crash/crashRounds.ts';

const kills = sized(0, 100);

it(`after ${kills} kills during administrative writes, no change is partial and none that was acknowledged is lost`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-crash-'));
  try {
    const result = await crashRounds(join(folder, 'killed.db'), kills);
    expect(result.failures).toEqual([]);
    expect(result.acknowledged).toBeGreaterThan(kills * 2);
  } finally {
    await rm(folder, { recursive: true });
  }
});
