import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sqliteInbox } from '@vitrine/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { numberedBody, secret, temporaryFolder } from './support/samples.ts';
import { sized } from './support/size.ts';

const program = fileURLToPath(new URL('./programs/worker.ts', import.meta.url));

/** Kills a process again and again in the middle of its handlers, then lets one finish. */
const killHandlers = async (
  kind: string,
  { kills, events }: { readonly kills: number; readonly events: number },
) => {
  const folder = temporaryFolder();
  const [file, effectsFile, runsFile] = ['actions.db', 'effects.db', 'runs.txt'].map((name) =>
    join(folder, name),
  );
  writeFileSync(runsFile!, '');
  const inbox = sqliteInbox(file!);
  onTestFinished(() => inbox.close());
  await Promise.all(
    Array.from({ length: events }, (_, n) =>
      inbox.append({ raw: numberedBody(n), receivedAtMs: Date.now() }),
    ),
  );
  const start = async () => {
    const child = spawn(
      process.execPath,
      ['--conditions=@vitrine/source', program, kind, file!, effectsFile!, runsFile!],
      {
        env: { ...process.env, WEBHOOK_SECRET: secret, NODE_OPTIONS: '' },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const gone = once(child, 'exit');
    const kill = async () => {
      child.kill('SIGKILL');
      await gone;
    };
    onTestFinished(kill);
    await once(createInterface({ input: child.stdout }), 'line');
    return kill;
  };
  const runs = () => readFileSync(runsFile!, 'utf8').split('\n').slice(0, -1);
  for (let death = 0; death < kills; death += 1) {
    const before = runs().length;
    const kill = await start();
    // Until some have run: eight others are in the middle.
    while (runs().length < before + 12 && (await inbox.health()).counts.pending > 0) await wait(5);
    await kill();
  }
  const kill = await start();
  await expect.poll(async () => (await inbox.health()).counts.pending, { timeout: 60_000 }).toBe(0);
  await wait(300);
  await kill();
  const counts = (await inbox.health()).counts;
  const database = new DatabaseSync(effectsFile!);
  const effects = database.prepare('select key, times from effects').all();
  database.close();
  return { counts, ran: new Set(runs()).size, runs: runs().length, effects };
};

describe('a process that is killed in the middle of its handlers', () => {
  const events = sized(100, 1500);

  it('leaves no event without a run, and an effect under its idempotency key happens once', async () => {
    const { counts, ran, runs, effects } = await killHandlers('honest', { kills: sized(2, 50), events });
    expect(counts).toMatchObject({ done: events, pending: 0 });
    expect(ran).toBe(events);
    expect(runs).toBeGreaterThan(events);
    expect(effects).toHaveLength(events);
  }, 600_000);

  it('would leave some without one if they were not leased but taken (the control)', async () => {
    const { ran } = await killHandlers('takes-without-lease', { kills: 2, events: 100 });
    expect(ran).toBeLessThan(100);
  }, 120_000);
});
