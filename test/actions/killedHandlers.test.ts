import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sized } from '../support/size.ts';
import { startProgram } from '../support/startProgram.ts';
import { openInbox } from './support/openInbox.ts';
import { places, placesWhereItIsAlike } from './support/places.ts';
import { numberedBody, secret, temporaryFolder } from './support/samples.ts';

const program = new URL('./programs/worker.ts', import.meta.url);

/** Kills a process repeatedly while its handlers run, then lets one finish. */
const killHandlers = async (
  kind: string,
  place: string,
  { kills, events }: { readonly kills: number; readonly events: number },
) => {
  const folder = temporaryFolder();
  const [effectsFile, runsFile] = ['effects.db', 'runs.txt'].map((name) => join(folder, name));
  writeFileSync(runsFile!, '');
  const inbox = openInbox(place);
  onTestFinished(() => inbox.close());
  await Promise.all(
    Array.from({ length: events }, (_, n) =>
      inbox.append({ raw: numberedBody(n), receivedAtMs: Date.now() }),
    ),
  );
  const start = async (role: 'one of many' | 'last') => {
    const { line, end } = startProgram(program, [kind, place, effectsFile!, runsFile!, role], {
      env: { WEBHOOK_SECRET: secret },
    });
    await line();
    return end;
  };
  /** IDs of the events that ran, or that hung before or after their effect. */
  const noted = (what: 'ran' | 'before' | 'after') =>
    readFileSync(runsFile!, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith(what))
      .map((line) => line.split(' ')[1] ?? '');
  for (let death = 0; death < kills; death += 1) {
    const [before, after] = [noted('before').length, noted('after').length];
    const kill = await start('one of many');
    // Some hang before their effect and some after it; others are in progress.
    await expect
      .poll(() => noted('before').length > before + 1 && noted('after').length > after + 1, {
        timeout: 50_000,
        interval: 20,
      })
      .toBe(true);
    await kill();
  }
  const kill = await start('last');
  await expect.poll(async () => (await inbox.counts())?.pending, { timeout: 120_000 }).toBe(0);
  await kill();
  const counts = await inbox.counts();
  const database = new DatabaseSync(effectsFile!);
  const effects = database
    .prepare('select key, times from effects')
    .all()
    .map(({ key, times }) => ({ id: String(key).split(':')[0] ?? '', times: Number(times) }));
  database.close();
  return {
    counts,
    ran: new Set(noted('ran')).size,
    runs: noted('ran').length,
    effects: new Set(effects.map(({ id }) => id)).size,
  };
};

for (const { database, isThere, create } of places)
  describe.skipIf(!isThere)(`a process on ${database} that is killed while its handlers run`, () => {
    const events = sized(100, 1500);

    it('leaves no event unhandled, and each handler gets the ID of its event', async () => {
      const { counts, ran, runs, effects } = await killHandlers('honest', create(), {
        kills: sized(2, 50),
        events,
      });
      expect(counts).toMatchObject({ done: events, pending: 0 });
      expect(ran).toBe(events);
      expect(runs).toBeGreaterThan(events);
      expect(effects).toBe(events);
    });
  });

for (const { database, isThere, create } of placesWhereItIsAlike)
  describe.skipIf(!isThere)(`the check of killed handlers on ${database}`, () => {
    it('control: finds unhandled events when they are taken without a lease', async () => {
      const { ran } = await killHandlers('takes-without-lease', create(), { kills: 2, events: 100 });
      expect(ran).toBeLessThan(100);
    }, 120_000);
  });
