/** A host app with the key endpoint, in its own process, over HTTP/1.1 or HTTP/2. */
import { createServer, type RequestListener } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createNodeHandler } from '@vitrine/server';
import { readUsage, serveRequests } from '../lib/worker.ts';

export interface BatchHostOptions {
  /** Whether to use HTTP/2. */
  readonly certificate?: { key: string; cert: string };
  /** The portal and its reports. */
  readonly tenantUrl: string;
  readonly script: string;
}

/** Counters of the host so far. */
export interface BatchHostUsage {
  readonly cpuMicros: number;
  readonly keyRequests: number;
}

const plenty = { points: 1e9, durationSeconds: 60 };
const html = [
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,">',
  '<script type="application/json" id="settings">{}</script><script defer src="/page.js"></script></head>',
  '<body><div id="root"></div></body></html>',
].join('');

let keyRequests = 0;

const listen = async ({ certificate, tenantUrl, script }: BatchHostOptions): Promise<string> => {
  const answerKey = createNodeHandler({
    portal: {
      tenantUrl,
      apiBaseUrl: tenantUrl,
      tenantId: 101,
      tenancyName: 'acme',
      apiKey: 'bench-api-key-0123456789',
      passPhrase: 'bench-passphrase-0123456789',
    },
    viewer: () => ({ userId: 'viewer@acme.example', roleNames: ['sales'] }),
    canView: () => true,
    rateLimit: { perViewer: plenty, perTenant: plenty },
    logger: false,
  });
  const listener: RequestListener = (request, response) => {
    if (request.method === 'POST') {
      keyRequests += 1;
      answerKey(request, response);
    } else if (request.url === '/page.js')
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    else response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  };
  const server = certificate
    ? createSecureServer(certificate, (request, response) => {
        listener(...([request, response] as unknown as Parameters<RequestListener>)); // HTTP/2's are compatible
      })
    : createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`;
};

serveRequests((request: ({ kind: 'listen' } & BatchHostOptions) | { kind: 'usage' }) => {
  if (request.kind === 'listen') return listen(request);
  const usage: BatchHostUsage = { cpuMicros: readUsage().cpuMicros, keyRequests };
  return usage;
});
