/**
 * A receiver in its own process, to be killed, traced and restarted. Its first line of output is its port and number.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startActions } from '../../../src/server/lib/actions/createActions.ts';
import { mountActions } from '../support/mountActions.ts';
import { openInbox } from '../support/openInbox.ts';
import { stopServer } from '../support/stopServer.ts';
import { createBrokenInbox } from './brokenInboxes.ts';

const [kind = 'honest', file = ':memory:'] = process.argv.slice(2);
/** Of a receiver whose handlers hang. */
const stalled = { on: () => new Promise<undefined>(() => undefined), handlerTimeoutMs: 1_800_000 };
const inbox = createBrokenInbox(kind, file) ?? openInbox(file);
const actions = startActions(
  {
    secrets: process.env['WEBHOOK_SECRET'] ?? '',
    inbox,
    ...(kind === 'stalled' || kind === 'unbounded' ? stalled : { dispatch: false }),
    audience: 'nobody',
    logger: false,
  },
  // The control's mistake: it reads every event into memory.
  kind === 'unbounded' ? { concurrency: 1_000_000 } : {},
);

const mount = mountActions(actions);
const server = createServer((request, response) => {
  // Names the event in the response, so that a trace of system calls shows which one was acknowledged.
  response.setHeader('x-number', request.headers['x-number'] ?? '');
  mount(request, response);
});
// A connection of the test may be idle while the machine is busy.
server.keepAliveTimeout = 600_000;
server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port} ${process.pid}\n`);
});

process.once('SIGTERM', async () => {
  process.stdout.write('ending\n');
  if (kind === 'no-drain') process.exit(0);
  await stopServer(server, actions);
  process.exit(0);
});
