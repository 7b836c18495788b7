import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { testDatabases } from '../databases.ts';
import { killRounds } from './killRounds.ts';

/** A database file that is removed after the test. */
export const temporaryFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-kill-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'portal.db');
};

/** A seed that a failed run names, so that it can be repeated with `VITRINE_SEED`. */
export const runSeed = (): number =>
  Number(process.env['VITRINE_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

const [, postgres] = await testDatabases('kill');
const timeout = 1_800_000;

/** Kills portals so many times in each way. */
export const describeKill = (rounds: Readonly<Record<'inside' | 'outside' | 'postgres', number>>): void => {
  it(`survives ${rounds.inside} deaths between two statements`, { timeout }, async () => {
    const seed = runSeed();
    const { wrong } = await killRounds({
      database: temporaryFile(),
      rounds: rounds.inside,
      seed,
      from: 'inside',
    });
    expect(wrong, `VITRINE_SEED=${seed}`).toEqual([]);
  });

  it(`survives ${rounds.outside} kills at any moment`, { timeout }, async () => {
    const seed = runSeed();
    const { wrong } = await killRounds({
      database: temporaryFile(),
      rounds: rounds.outside,
      seed,
      from: 'outside',
    });
    expect(wrong, `VITRINE_SEED=${seed}`).toEqual([]);
  });

  it.skipIf(postgres === undefined)(
    `survives ${rounds.postgres} kills at any moment on Postgres`,
    { timeout },
    async () => {
      const seed = runSeed();
      const database = postgres?.address ?? '';
      onTestFinished(() => postgres?.drop());
      const { wrong } = await killRounds({ database, rounds: rounds.postgres, seed, from: 'outside' });
      expect(wrong, `VITRINE_SEED=${seed}`).toEqual([]);
    },
  );
};
