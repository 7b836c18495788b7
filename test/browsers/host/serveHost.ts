import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createActions, sqliteInbox, vitrine } from '@vitrine/express';
import { createPortal, type Portal } from '@vitrine/portal';
import { frameSources } from '@vitrine/server';
import express from 'express';
import { buildPage } from '../../support/buildPage.ts';
import { closeServer, listen } from '../../support/standInPortal.ts';

/** A host app with exactly the policy of the README, in front of a portal. */
export interface StrictHost {
  readonly url: string;
  /** A third-party server, and the headers of all its requests. */
  readonly third: { readonly url: string; readonly heard: readonly string[] };
  readonly portal: Portal;
  readonly close: () => Promise<void>;
}

const lifetimeMs = 60_000;

/** Builds and serves the page of this folder. Its keys have a lifetime of one minute. */
export const serveHost = async (): Promise<StrictHost> => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-host-'));
  const [portal, page] = await Promise.all([createPortal(), buildPage({ root: import.meta.dirname })]);
  const [tenant] = portal.tenants;
  if (tenant === undefined) throw new Error('The portal has no tenant.');

  const heard: string[] = [];
  const thirdServer = createServer((request, response) => {
    heard.push(JSON.stringify([request.url, request.rawHeaders]));
    response.writeHead(204).end();
  });
  const third = (await listen(thirdServer)).replace('127.0.0.1', 'third.localhost');

  const app = express();
  const { tenantUrl, apiBaseUrl, tenantId, tenancyName, apiKey, passPhrase } = tenant;
  const inbox = sqliteInbox(join(folder, 'actions.db'));
  const actions = createActions({ inbox, secrets: tenant.webhookSecret, audience: 'nobody' });
  const keys = vitrine({
    portal: { tenantUrl, apiBaseUrl, tenantId, tenancyName, apiKey, passPhrase },
    viewer: () => ({ userId: 'north.manager@acme.example', roleNames: ['region-north'] }),
    canView: () => true,
    keyLifetime: lifetimeMs,
    rateLimit: false,
    actions,
    logger: false,
  });
  app.use('/api/embed', keys);
  app.use((_request, response, next) => {
    const policy = [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      `frame-src ${frameSources(tenant).join(' ')}`,
      `img-src ${third}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ];
    response.set('content-security-policy', policy.join('; '));
    // The most permissive referrer policy: others receive the complete URL.
    response.set('referrer-policy', 'unsafe-url');
    next();
  });
  app.use(page.handler);
  const server = createServer(app);
  const url = (await listen(server)).replace('127.0.0.1', 'localhost');
  return {
    url,
    third: { url: third, heard },
    portal,
    close: async () => {
      await Promise.all([closeServer(server), closeServer(thirdServer)]);
      await keys.close();
      await actions.close(0);
      await portal.close();
      rmSync(folder, { recursive: true });
    },
  };
};
