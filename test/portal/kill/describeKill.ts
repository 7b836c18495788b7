import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { seed } from '../../support/seed.ts';
import { testDatabases } from '../databases.ts';
import { killRounds } from './killRounds.ts';

/** A database file that is removed after the test. */
export const temporaryFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-kill-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'portal.db');
};

const [, postgres] = await testDatabases('kill');
const timeout = 1_800_000;

/** Kills portals that many times in each way. */
export const describeKill = (rounds: Readonly<Record<'inside' | 'outside' | 'postgres', number>>): void => {
  it(`has no partial, lost or unrecorded change after ${rounds.inside} kills between two statements`, {
    timeout,
  }, async () => {
    const { wrong } = await killRounds({
      database: temporaryFile(),
      rounds: rounds.inside,
      seed,
      from: 'inside',
    });
    expect(wrong, `VITRINE_SEED=${seed}`).toEqual([]);
  });

  it(`has no partial, lost or unrecorded change after ${rounds.outside} kills at any moment`, {
    timeout,
  }, async () => {
    const { wrong } = await killRounds({
      database: temporaryFile(),
      rounds: rounds.outside,
      seed,
      from: 'outside',
    });
    expect(wrong, `VITRINE_SEED=${seed}`).toEqual([]);
  });

  it.skipIf(postgres === undefined)(
    `has no partial, lost or unrecorded change after ${rounds.postgres} kills at any moment on Postgres`,
    { timeout },
    async () => {
      const database = postgres?.address ?? '';
      onTestFinished(() => postgres?.drop());
      const { wrong } = await killRounds({ database, rounds: rounds.postgres, seed, from: 'outside' });
      expect(wrong, `VITRINE_SEED=${seed}`).toEqual([]);
    },
  );
};
