/** Handles the pending events of an inbox, and is killed meanwhile. Its first line of output says that it works. */
import { appendFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import type { ActionInbox } from '@vitrine/server/actions';
import { startActions } from '../../../src/server/lib/actions/createActions.ts';
import { createRandom } from '../../support/createRandom.ts';
import { seed } from '../../support/seed.ts';
import { openInbox } from '../support/openInbox.ts';

const [kind = 'honest', file = '', effectsFile = '', runsFile = '', role = ''] = process.argv.slice(2);
const isLast = role === 'last';
const hang = (id: string, where: 'before' | 'after'): Promise<undefined> => {
  appendFileSync(runsFile, `${where} ${id}\n`);
  return new Promise(() => undefined);
};
const effects = new DatabaseSync(effectsFile, { timeout: 5000 });
effects.exec(
  'pragma journal_mode = wal; create table if not exists effects (key text primary key, times integer default 1)',
);
const insert = effects.prepare(
  'insert into effects (key) values (?) on conflict do update set times = times + 1',
);

const random = createRandom(seed);
/** A lease that expires before its attempt, so that the events of a killed process are due again soon. */
const opened = openInbox(file);
const inbox: ActionInbox = {
  ...opened,
  claim: (request) => opened.claim({ ...request, leaseMs: 1000 }),
};
/** The control's mistake: it marks an event as done when it claims it. */
const takesWithoutLease: ActionInbox = {
  ...inbox,
  async claim(request) {
    const claims = await inbox.claim(request);
    for (const claimed of claims) await inbox.settle(claimed, { kind: 'done' });
    return claims;
  },
  settle: async () => true,
};

startActions(
  {
    secrets: process.env['WEBHOOK_SECRET'] ?? '',
    inbox: kind === 'honest' ? inbox : takesWithoutLease,
    audience: 'nobody',
    logger: false,
    handlerTimeoutMs: 600_000,
    on: async ({ id }, { attempt, eventId }) => {
      // In every run but the last, some handlers hang until the process is killed: these before their effect, those after
      // it.
      const hangs = (rest: number): boolean => !isLast && attempt === 1 && Number(id) % 7 === rest;
      if (hangs(1)) return hang(id, 'before');
      await wait(random.next() * 10);
      appendFileSync(runsFile, `ran ${id}\n`);
      insert.run(eventId);
      if (hangs(4)) return hang(id, 'after');
      return undefined;
    },
  },
  // One handler gets a quarter of the slots.
  { pollMs: 50, concurrency: 32, maxAttempts: 1000 },
);
// Keeps the process running while it waits for a lease to expire.
setInterval(() => undefined, 60_000);
process.stdout.write('0 0\n');
