import { describe, expect, it } from 'vitest';
import { describeKill, temporaryFile } from './kill/describeKill.ts';
import { killRounds } from './kill/killRounds.ts';

describe('a portal that is killed while it writes has nothing half done, lost or unrecorded: it', () => {
  describeKill({ inside: 2, outside: 2, postgres: 2 });
});

it('the same look finds what a portal without transactions leaves half done', {
  timeout: 120_000,
}, async () => {
  const { wrong } = await killRounds({
    database: temporaryFile(),
    rounds: 1,
    seed: 1,
    from: 'inside',
    isUnsafe: true,
  });
  expect(wrong).not.toEqual([]);
});
