/** A process of a host: actions with a Postgres inbox that several processes share. */

import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createNodeHandler } from '@vitrine/server';
import { createActions, postgresInbox } from '@vitrine/server/actions';
import { connectionTo } from '../../support/standInPortal.ts';

const [kind = 'honest', url = '', schema = ''] = process.argv.slice(2);
const inbox = postgresInbox(url, { schema });
const actions = createActions({
  secrets: process.env['WEBHOOK_SECRET'] ?? '',
  inbox,
  on: ({ currentUser }) => ({ result: { for: currentUser } }),
  itemIdOf: () => 1042,
  // An action is for the viewer who clicked and their deputy, whose number is the next odd one.
  audience: ({ currentUser }) => {
    const number = Number(currentUser);
    return number % 10 === 0 ? [`viewer-${number}`, `viewer-${number + 1}`] : `viewer-${number}`;
  },
});

let requests = 0;
let previous = '';
const viewerOf = (request: IncomingMessage): string => {
  const name = request.headers['x-as']?.toString() ?? '';
  if (kind === 'honest') return name;
  // The control's mistake: it remembers the signed-in viewer, and takes every third request for the previous viewer.
  const taken = ++requests % 3 === 0 ? previous : name;
  previous = name;
  return taken;
};
const embed = createNodeHandler({
  portal: connectionTo('https://acme.example'),
  viewer: (request: IncomingMessage) => ({ userId: viewerOf(request) }),
  canView: () => true,
  actions,
  logger: false,
});

const server = createServer(embed);
await inbox.counts();
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port} ${process.pid}\n`);
});
