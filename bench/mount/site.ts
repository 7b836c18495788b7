import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request to the host app or the tenant; times in milliseconds since the epoch. */
export interface Visit {
  readonly site: 'app' | 'tenant';
  readonly path: string;
  readonly startedAt: number;
  /** Infinity until it is answered. */
  endedAt: number;
}

/** A host app and a tenant on two sites, with the same delay before every response. */
export interface Sites {
  readonly appUrl: string;
  readonly tenantUrl: string;
  readonly visits: Visit[];
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

const now = () => performance.timeOrigin + performance.now();

const listen = async (host: string, listener: RequestListener): Promise<{ server: Server; port: number }> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve);
  });
  return { server, port: (server.address() as AddressInfo).port }; // it listens on TCP
};

/** The app is on 127.0.0.1 and the tenant on localhost: two sites for a browser, so that the frame is cross-site. */
export const startSites = async (): Promise<Sites> => {
  const visits: Visit[] = [];
  const pages: Sites['pages'] = new Map();

  const answer = (
    site: Visit['site'],
    request: IncomingMessage,
    send: (response: ServerResponse) => void,
  ): ((response: ServerResponse) => void) => {
    const visit: Visit = {
      site,
      path: request.url ?? '',
      startedAt: now(),
      endedAt: Number.POSITIVE_INFINITY,
    };
    visits.push(visit);
    request.resume();
    return (response) => {
      const go = () => {
        send(response);
        visit.endedAt = now();
      };
      if (sites.delayMs === 0) go();
      else setTimeout(go, sites.delayMs);
    };
  };

  const tenant = await listen('localhost', (request, response) =>
    answer('tenant', request, () =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><title>Report</title><p>Report</p>'),
    )(response),
  );
  const tenantUrl = `http://localhost:${tenant.port}`;
  const app = await listen('127.0.0.1', (request, response) =>
    answer('app', request, () => {
      const page = pages.get(request.url ?? '');
      if (request.method === 'POST')
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(keyAnswer(tenantUrl)));
      else if (page === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': page.type, 'cache-control': 'no-store' }).end(page.body);
    })(response),
  );

  const sites: Sites = {
    appUrl: `http://127.0.0.1:${app.port}`,
    tenantUrl,
    visits,
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

/** The longest chain of sequential requests. */
export const serialDepth = (visits: readonly Visit[]): number => {
  let depth = 0;
  let freeAt = Number.NEGATIVE_INFINITY;
  for (const { startedAt, endedAt } of visits.toSorted((a, b) => a.endedAt - b.endedAt)) {
    if (startedAt < freeAt) continue;
    depth += 1;
    freeAt = endedAt;
  }
  return depth;
};
