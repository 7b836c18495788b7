/** The measured servers, each as a function that starts it in front of a portal. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { vitrine } from '@vitrine/express';
import { createFetchHandler, createNodeHandler } from '@vitrine/server';
import express, { type Express } from 'express';
import type * as Undici from 'undici';
import { packageFolder } from '../lib/machine.ts';

export interface DesignOptions {
  /** URL of the portal. */
  readonly upstream: string;
  /** Maximum number of connections to the portal. */
  readonly connections: number;
}

type Design = (options: DesignOptions) => Server;

/** The undici of our client, so that all designs use the same one. */
const undici = (): typeof Undici =>
  createRequire(join(packageFolder('@vitrine/portal-client'), 'package.json'))('undici');

const upstreamPath = '/api/services/app/ItemLinks/CreateEncryptedKey';
const upstreamHeaders = {
  'content-type': 'application/json',
  authorization: 'ApiKey bench-api-key-0123456789',
  'svc.tenantid': '101',
};
const lifetimeMs = 2_700_000;

const upstreamBody = (itemId: number, userId: string | string[] | undefined): string =>
  JSON.stringify({
    value: {
      userId,
      reportId: itemId,
      roleNames: ['sales'],
      expiration: new Date(Date.now() + lifetimeMs).toISOString(),
    },
    passPhrase: 'bench-passphrase-0123456789',
    tenancyName: 'acme',
  });

interface Envelope {
  readonly result: { readonly key: string };
  readonly success: boolean;
}

const keyAnswer = (itemId: number, { success, result }: Envelope, tenantUrl: string) => {
  if (!success) throw new Error('refused');
  return {
    itemId,
    key: result.key,
    tenantUrl,
    lifetimeMs,
    expiresAt: new Date(Date.now() + lifetimeMs).toISOString(),
  };
};

const expressApp = (): Express => {
  const app = express();
  app.set('etag', false);
  app.disable('x-powered-by');
  return app;
};

const pool = ({ upstream, connections }: DesignOptions): Undici.Pool =>
  new (undici().Pool)(upstream, { connections });

const viewerOf = (user: unknown) => ({ userId: String(user), roleNames: ['sales'] });

/** Our own, with all features on; only the limits are too high for a load generator to reach. */
const ours = (options: DesignOptions) => ({
  portal: {
    tenantUrl: 'https://acme.example.com',
    apiBaseUrl: options.upstream,
    tenantId: 101,
    tenancyName: 'acme',
    apiKey: 'bench-api-key-0123456789',
    passPhrase: 'bench-passphrase-0123456789',
  },
  viewer: (request: IncomingMessage) => viewerOf(request.headers['x-user']),
  canView: () => true,
  rateLimit: { points: 1e9, durationSeconds: 60 },
  upstream: { connections: options.connections, totalTimeoutMs: 60_000 },
  logger: false as const,
});

const bare = (listener: RequestListener): Server => createServer({ keepAliveTimeout: 60_000 }, listener);
const mounted = (app: Express): Server => bare(app as RequestListener); // an Express app is a request listener

export const designs = {
  'Express + fetch': ({ upstream }) =>
    mounted(
      expressApp().post('/api/embed/keys', express.json(), async (request, response) => {
        const { itemId } = request.body;
        const answer = await fetch(`${upstream}${upstreamPath}`, {
          method: 'POST',
          headers: upstreamHeaders,
          body: upstreamBody(itemId, request.headers['x-user']),
        });
        const minted = (await answer.json()) as Envelope; // checked by keyAnswer
        response.json(keyAnswer(itemId, minted, 'https://acme.example.com'));
      }),
    ),

  'Express + undici Pool': (options) => {
    const upstream = pool(options);
    return mounted(
      expressApp().post('/api/embed/keys', express.json(), async (request, response) => {
        const { itemId } = request.body;
        const { body } = await upstream.request({
          path: upstreamPath,
          method: 'POST',
          headers: upstreamHeaders,
          body: upstreamBody(itemId, request.headers['x-user']),
        });
        const minted = (await body.json()) as Envelope; // checked by keyAnswer
        response.json(keyAnswer(itemId, minted, 'https://acme.example.com'));
      }),
    );
  },

  'ours on Express': (options) => mounted(expressApp().use('/api/embed', vitrine(ours(options)))),
  'ours on bare http': (options) => bare(createNodeHandler(ours(options))),
  'ours as fetch handler': (options) => {
    const handler = createFetchHandler({
      ...ours(options),
      viewer: (request: Request) => viewerOf(request.headers.get('x-user')),
    });
    return bare(getRequestListener(handler));
  },
} satisfies Record<string, Design>;

export type DesignName = keyof typeof designs;
