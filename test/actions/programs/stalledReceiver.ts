/** A receiver whose handlers hang. Its first line of output is its port and number. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createActions, sqliteInbox } from '@vitrine/actions';
import { mountActions } from '../support/mountActions.ts';

const [kind = 'honest', file = ''] = process.argv.slice(2);
const actions = createActions({
  secrets: process.env['WEBHOOK_SECRET'] ?? '',
  inbox: sqliteInbox(file),
  audience: 'nobody',
  onDiagnostic: () => undefined,
  on: () => new Promise<undefined>(() => undefined),
  // The control's mistake: it reads every event into memory.
  dispatch: { timeoutMs: 3_600_000, ...(kind === 'unbounded' && { concurrency: 1_000_000 }) },
});
const server = createServer(mountActions(actions));
// A connection of the test may be idle while the machine is busy.
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => {
  // It listens on TCP.
  process.stdout.write(`${(server.address() as AddressInfo).port} ${process.pid}\n`);
});
