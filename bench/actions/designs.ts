import { createServer, type Server } from 'node:http';
import { type ActionInbox, createActions, postgresInbox, sqliteInbox, vitrine } from '@vitrine/express';
import express from 'express';
import { token, viewerId } from './sampleBody.ts';

/** A host whose handlers run, and where one viewer gets every action. */
const ours = (inbox: ActionInbox): Server => {
  const actions = createActions({
    secrets: token,
    inbox,
    on: () => undefined,
    audience: () => viewerId,
    itemIdOf: () => 1042,
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

export const postgresUrl =
  process.env['VITRINE_TEST_POSTGRES'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
/** Schema of this process. */
export const schema = `vb_${process.pid}`;

/** Hosts, not yet listening. */
export const designs = {
  SQLite: (file: string) => ours(sqliteInbox(file)),
  Postgres: () => ours(postgresInbox(postgresUrl, { schema })),
} as const satisfies Record<string, (file: string) => Server>;

export type DesignName = keyof typeof designs;
