import { createServer } from 'node:http';
import {
  type ActionNews,
  type ActionReply,
  type ActionStreamOptions,
  createActionDispatcher,
  on,
  sqliteInbox,
} from '@vitrine/actions';
import { createActionStream, vitrine } from '@vitrine/express';
import { type MaybePromise } from '@vitrine/server';
import express from 'express';
import { onTestFinished } from 'vitest';
import { closeServer, connectionTo, listen } from '../../support/standInPortal.ts';
import { openStream } from './openStream.ts';
import { clickBody } from './samples.ts';

/** The portal's numbers of two people, and the names the host knows them by. */
const people: Record<number, string> = { 7: 'north@acme.example', 8: 'south@acme.example' };

/** A host whose stream of actions can be opened as somebody; it ends with the test. */
export const startStream = async ({
  canView,
  reply,
  ...options
}: Partial<ActionStreamOptions> & {
  readonly canView?: (userId: string, itemId: number) => MaybePromise<boolean>;
  readonly reply?: ActionReply;
} = {}) => {
  const news: ActionNews[] = [];
  const report = (item: ActionNews) => void news.push(item);
  const inbox = options.inbox ?? sqliteInbox(':memory:', { thread: 'main' });
  const stream = createActionStream({
    inbox,
    audience: (event) => people[Number(event.currentUser)],
    report,
    ...options,
  });
  const dispatcher = createActionDispatcher({ inbox, routes: [on({}, () => reply)], report });
  const app = express();
  let isSignedIn = true;
  const mount = vitrine({
    portal: connectionTo('http://127.0.0.1:1'),
    viewer: (req) => isSignedIn && { userId: req.get('x-as') ?? '' },
    canView: ({ userId }, itemId) => canView?.(userId, itemId) ?? true,
    actions: stream,
    logger: false,
  });
  app.use('/api/embed', mount);
  const server = createServer(app);
  const url = await listen(server);
  onTestFinished(async () => {
    stream.close();
    await closeServer(server);
    await mount.close();
    await dispatcher.stop(0);
    await inbox.close();
  });
  const open = async (userId: string, headers: Record<string, string> = {}, signal?: AbortSignal) => {
    const opened = await openStream(`${url}/api/embed/actions`, { 'x-as': userId, ...headers }, signal);
    if (opened.response.ok) await opened.untilHello();
    return opened;
  };
  const click = (currentUser: number, changes = {}) =>
    inbox.append({
      raw: Buffer.from(JSON.stringify(clickBody({ currentUser, ...changes }))),
      receivedAtMs: (options.now ?? Date.now)(),
    });
  return { open, click, news, stream, inbox, signOut: () => (isSignedIn = false) };
};
