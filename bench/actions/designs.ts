import { createServer, type Server } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import {
  type ActionInbox,
  type ActionsOptions,
  createActions,
  postgresInbox,
  sqliteInbox,
  vitrine,
} from '@vitrine/express';
import express from 'express';
import { token, viewerId } from './sampleBody.ts';

const ours = (inbox: ActionInbox, more: Partial<ActionsOptions> = {}): Server => {
  const actions = createActions({
    secrets: token,
    inbox,
    audience: 'nobody',
    dispatch: false,
    onDiagnostic: () => undefined,
    ...more,
  });
  const mount = vitrine({
    portal: {
      tenantUrl: 'https://acme.example',
      apiBaseUrl: 'https://acme.example',
      tenantId: 1,
      tenancyName: 'acme',
      apiKey: 'unused-api-key-0123456789',
      passPhrase: 'unused-pass-phrase-0123456789',
    },
    viewer: (request) => ({ userId: request.get('x-as') ?? '' }),
    canView: () => true,
    actions,
    rateLimit: false,
    logger: false,
  });
  const app = express().use('/api/embed', mount);
  app.get('/health', async (_, response) => void response.json(await actions.health()));
  return createServer(app);
};

/** Handlers run, and one viewer gets every action. */
const handling: Partial<ActionsOptions> = {
  on: () => undefined,
  audience: () => viewerId,
  itemIdOf: () => 1042,
};

export const postgresUrl =
  process.env['VITRINE_TEST_POSTGRES'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
/** Schema of this process. */
export const schema = `vb_${process.pid}`;

const onExpress = (handler: express.RequestHandler, ...before: express.RequestHandler[]): Server => {
  const app = express();
  app.post('/api/embed/webhook', ...before, handler);
  return createServer(app);
};

const parsed = express.json({ limit: '5mb' });

const eachCommitted = (insert: (raw: string) => unknown): Server =>
  onExpress((request, response) => {
    insert(JSON.stringify(request.body));
    response.status(202).end();
  }, parsed);

/**
 * Minimal durable ingest by hand: no token, no checks, no duplicate detection, one column. Events that arrive during a
 * commit form the next one.
 */
const groupCommit = (file: string): express.RequestHandler => {
  const thread = new Worker(new URL('groupCommitThread.ts', import.meta.url), { workerData: file });
  let waiting: { readonly body: Buffer; readonly response: express.Response }[] = [];
  let isBusy = false;
  const commit = (): void => {
    isBusy = waiting.length > 0;
    if (!isBusy) return;
    const batch = waiting;
    waiting = [];
    thread.postMessage(batch.map(({ body }) => body));
    thread.once('message', () => {
      for (const { response } of batch) response.writeHead(202, { 'content-length': '0' }).end();
      setImmediate(commit);
    });
  };
  return (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      waiting.push({ body: Buffer.concat(chunks), response });
      if (!isBusy) setImmediate(commit);
      isBusy = true;
    });
  };
};

/** Designs of a webhook receiver, not yet listening. */
export const designs = {
  'Express, nothing stored': () =>
    onExpress((_, response) => {
      response.status(202).end();
    }, parsed),
  'Express + node:sqlite, a commit each': (file: string) => {
    const database = new DatabaseSync(file);
    database.exec('pragma journal_mode = wal; pragma synchronous = full; create table kept (raw text)');
    const statement = database.prepare('insert into kept (raw) values (?)');
    return eachCommitted((raw) => statement.run(raw));
  },
  'Express + better-sqlite3, a commit each': async (file: string) => {
    // Only installed in bench, so its types are not available here.
    const name: string = 'better-sqlite3';
    const { default: Database } = await import(name);
    const database = new Database(file);
    database.pragma('journal_mode = wal');
    database.pragma('synchronous = full');
    database.exec('create table kept (raw text)');
    const statement = database.prepare('insert into kept (raw) values (?)');
    return eachCommitted((raw) => statement.run(raw));
  },
  'Express, group commit by hand': (file: string) => onExpress(groupCommit(file)),
  'ours on Express': (file: string) => ours(sqliteInbox(file)),
  'ours on Express, handlers running': (file: string) => ours(sqliteInbox(file), handling),
  'ours on Express, Postgres': () => ours(postgresInbox(postgresUrl, { schema })),
  'ours on Express, Postgres, handlers running': () => ours(postgresInbox(postgresUrl, { schema }), handling),
  streams: (file: string) => ours(sqliteInbox(file)),
} as const satisfies Record<string, (file: string) => Server | Promise<Server>>;

export type DesignName = keyof typeof designs;
