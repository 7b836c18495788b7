import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { itemId, keyAnswer } from './site.ts';

/** A host app whose backend delays each key. */
export interface HostApp {
  readonly url: string;
  page: string;
  close(): void;
}

interface HostAppOptions {
  readonly host: '127.0.0.1' | 'localhost';
  /** Makes it an HTTPS server: same-site requires the same scheme. */
  readonly certificate?: { key: string; cert: string };
  readonly tenantUrl: string;
  readonly script: string;
  readonly mintMs: number;
}

export const startHostApp = async (options: HostAppOptions): Promise<HostApp> => {
  const { host, certificate, tenantUrl, script, mintMs } = options;
  const listener: RequestListener = (request, response) => {
    request.resume();
    if (request.method === 'POST')
      setTimeout(() => {
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(keyAnswer(tenantUrl)));
      }, mintMs);
    else if (request.url === '/page.js')
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    else response.writeHead(200, { 'content-type': 'text/html' }).end(app.page);
  };
  const server = certificate === undefined ? createServer(listener) : createHttps(certificate, listener);
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const app: HostApp = {
    url: `${certificate === undefined ? 'http' : 'https'}://${host}:${port}`,
    page: '',
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return app;
};

/** The page of one warm-up method. */
export const warmUpHtml = (way: string, tenantUrl: string): string => {
  const settings = JSON.stringify({ tenantUrl, itemId, isRunningAlone: false });
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,">',
    way === 'preconnect' ? `<link rel="preconnect" href="${tenantUrl}">` : '',
    `<script type="application/json" id="settings">${settings}</script>`,
    `<script>window.benchWay = ${JSON.stringify(way)};</script>`,
    '<script defer src="/page.js"></script></head><body><div id="root"></div></body></html>',
  ].join('');
};
