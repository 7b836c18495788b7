import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { crashRounds } from './crash/crashRounds.ts';

it('100 kills in the middle of administrative writes leave no half change and lose nothing acknowledged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-crash-'));
  try {
    const result = await crashRounds(join(folder, 'killed.db'), 100);
    expect(result.failures).toEqual([]);
    expect(result.acknowledged).toBeGreaterThan(1000);
  } finally {
    await rm(folder, { recursive: true });
  }
}, 900_000);
