import { describe, expect, it } from 'vitest';
import { describeKill, temporaryFile } from './kill/describeKill.ts';
import { killRounds } from './kill/killRounds.ts';

describe('a portal that is killed while it writes has nothing half done, lost or unrecorded: it', () => {
  describeKill({ inside: 5, outside: 3, postgres: 2 });
});

describe('the same look finds', () => {
  it.each([1, 2, 3])(
    'what a portal without transactions leaves half done, each time (seed %i)',
    { timeout: 120_000 },
    async (seed) => {
      const { wrong } = await killRounds({
        database: temporaryFile(),
        rounds: 1,
        seed,
        from: 'inside',
        isUnsafe: true,
      });
      expect(wrong).not.toEqual([]);
    },
  );
});
