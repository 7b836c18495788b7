import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A host app and a tenant on two sites, with the same delay before every response. */
export interface Sites {
  readonly appUrl: string;
  readonly tenantUrl: string;
  delayMs: number;
  /** Pages and scripts of the host app, by path. */
  readonly pages: Map<string, { readonly type: string; readonly body: string }>;
  close(): void;
}

export const itemId = 1042;

const key = 'k3y+'.repeat(150);

export const keyAnswer = (tenantUrl: string) => ({
  itemId,
  key,
  tenantUrl,
  lifetimeMs: 2_670_000,
  expiresAt: new Date(Date.now() + 2_670_000).toISOString(),
});

const listen = async (host: string, listener: RequestListener): Promise<{ server: Server; port: number }> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve);
  });
  return { server, port: (server.address() as AddressInfo).port }; // it listens on TCP
};

/** The app is on 127.0.0.1 and the tenant on localhost: two sites for a browser, so that the frame is cross-site. */
export const startSites = async (): Promise<Sites> => {
  const pages: Sites['pages'] = new Map();
  const answer = (request: IncomingMessage, send: () => void): void => {
    request.resume();
    if (sites.delayMs === 0) send();
    else setTimeout(send, sites.delayMs);
  };

  const tenant = await listen('localhost', (request, response) =>
    answer(request, () =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><title>Report</title><p>Report</p>'),
    ),
  );
  const tenantUrl = `http://localhost:${tenant.port}`;
  const app = await listen('127.0.0.1', (request, response) =>
    answer(request, () => {
      const page = pages.get(request.url ?? '');
      if (request.method === 'POST')
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(keyAnswer(tenantUrl)));
      else if (page === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': page.type, 'cache-control': 'no-store' }).end(page.body);
    }),
  );

  const sites: Sites = {
    appUrl: `http://127.0.0.1:${app.port}`,
    tenantUrl,
    delayMs: 0,
    pages,
    close: () => {
      for (const { server } of [app, tenant]) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
  return sites;
};
