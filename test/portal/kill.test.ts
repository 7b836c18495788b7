import { describe, expect, it } from 'vitest';
import { describeKill, temporaryFile } from './kill/describeKill.ts';
import { killRounds } from './kill/killRounds.ts';

describe('a portal that is killed while it writes', () => {
  describeKill({ inside: 2, outside: 2, postgres: 2 });
});

it('control: the same check detects partial changes of a portal without transactions', {
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
