import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { vitrine } from '@vitrine/express';
import type { MaybePromise } from '@vitrine/server';
import { type ActionReply, type ActionsOptions, sqliteInbox } from '@vitrine/server/actions';
import express from 'express';
import { startActions } from '../../../src/server/lib/actions/createActions.ts';
import type { Timing } from '../../../src/server/lib/actions/timing.ts';
import { recordLog } from '../../support/recordLog.ts';
import { connectionTo, listen } from '../../support/standInPortal.ts';
import { endWithTest } from './endWithTest.ts';
import { openStream } from './openStream.ts';
import { clickBody, collectDiagnostics, reportNumber, secret } from './samples.ts';
import { settled } from './startDispatch.ts';

/** The portal's numbers of two users, and their IDs in the host. */
const people: Record<number, string> = { 7: 'north@acme.example', 8: 'south@acme.example' };

/** A host whose action stream can be opened as any viewer; closed at the end of the test. */
export const startStream = async ({
  canView,
  reply,
  timing,
  ...options
}: Partial<ActionsOptions> & {
  readonly canView?: (userId: string, itemId: number) => MaybePromise<boolean>;
  readonly reply?: ActionReply;
  readonly timing?: Partial<Timing>;
} = {}) => {
  const { diagnostics, logger } = collectDiagnostics();
  const inbox = options.inbox ?? sqliteInbox(':memory:');
  const actions = startActions(
    {
      secrets: secret,
      inbox,
      audience: (event) => people[Number(event.currentUser)],
      itemIdOf: (reportId) => (/^\d+$/.test(reportId) ? Number(reportId) : reportNumber),
      on: () => reply,
      logger,
      ...options,
    },
    { pollMs: 20, ...timing },
  );
  const app = express();
  let isSignedIn = true;
  const log = recordLog();
  const mount = vitrine({
    portal: connectionTo('http://127.0.0.1:1'),
    viewer: (req) => isSignedIn && { userId: req.get('x-as') ?? '' },
    canView: ({ userId }, itemId) => canView?.(userId, itemId) ?? true,
    actions,
    logger: log,
  });
  app.use('/api/embed', mount);
  const server = createServer(app);
  const url = await listen(server);
  endWithTest({ actions, server, mount });
  const open = async (userId: string, headers: Record<string, string> = {}) => {
    const opened = await openStream(`${url}/api/embed/actions`, { 'x-as': userId, ...headers });
    if (opened.response.ok) await opened.untilHello();
    return opened;
  };
  const click = (currentUser: number, changes = {}) =>
    inbox.append({
      raw: Buffer.from(JSON.stringify(clickBody({ currentUser, ...changes }))),
      receivedAtMs: Date.now(),
    });
  const connectionCount = promisify(server.getConnections.bind(server));
  const signOut = () => (isSignedIn = false);
  return {
    open,
    click,
    settled: () => settled(async () => await inbox.counts()),
    diagnostics,
    lines: log.lines,
    actions,
    inbox,
    url,
    connectionCount,
    signOut,
  };
};
