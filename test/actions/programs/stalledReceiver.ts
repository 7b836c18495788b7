/** A receiver whose handlers hang. Its first line of output is its port and number. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createActions, sqliteInbox } from '@vitrine/server/actions';
import { timing } from '../../../src/server/lib/actions/timing.ts';
import { mountActions } from '../support/mountActions.ts';

const [kind = 'honest', file = ''] = process.argv.slice(2);
// The control's mistake: it reads every event into memory.
if (kind === 'unbounded') Object.assign(timing, { concurrency: 1_000_000 });
const actions = createActions({
  secrets: process.env['WEBHOOK_SECRET'] ?? '',
  inbox: sqliteInbox(file),
  audience: 'nobody',
  logger: false,
  on: () => new Promise<undefined>(() => undefined),
  handlerTimeoutMs: 1_800_000,
});
const server = createServer(mountActions(actions));
// A connection of the test may be idle while the machine is busy.
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => {
  // It listens on TCP.
  process.stdout.write(`${(server.address() as AddressInfo).port} ${process.pid}\n`);
});
