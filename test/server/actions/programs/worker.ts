/** Handles what waits in an inbox, to be killed in the middle. Its first line of output says that it works. */
import { appendFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { type ActionInbox, createActionWebhook, sqliteInbox } from '@vitrine/server';

const [kind = 'honest', file = '', effectsFile = '', runsFile = ''] = process.argv.slice(2);
const effects = new DatabaseSync(effectsFile, { timeout: 5000 });
effects.exec(
  'pragma journal_mode = wal; create table if not exists effects (key text primary key, times integer default 1)',
);
const insert = effects.prepare(
  'insert into effects (key) values (?) on conflict do update set times = times + 1',
);

const inbox = sqliteInbox(file);
/** The control's mistake: an event counts as done when it is taken. */
const takesWithoutLease: ActionInbox = {
  ...inbox,
  async claim(request) {
    const claims = await inbox.claim(request);
    for (const claimed of claims) await inbox.settle(claimed, { kind: 'done' });
    return claims;
  },
  settle: async () => undefined,
};

createActionWebhook({
  secrets: process.env['WEBHOOK_SECRET'] ?? '',
  inbox: kind === 'honest' ? inbox : takesWithoutLease,
  report: () => undefined,
  dispatch: { leaseMs: 500, timeoutMs: 400, pollMs: 50, concurrency: 8, maxAttempts: 1000 },
  on: async ({ id }, { once }) => {
    await wait(5 + Math.random() * 20);
    appendFileSync(runsFile, `${id}\n`);
    await once('effect', ({ idempotencyKey }) => void insert.run(idempotencyKey));
    await wait(Math.random() * 10);
  },
});
process.stdout.write('0 0\n');
