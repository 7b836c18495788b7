/**
 * A host in a process of its own, so that its memory is its own and not the load's. Usage: node herdHost.ts <portal> <kind>.
 * Prints its address; on each line of its input it prints what it knows of itself, as JSON.
 */
import { createServer, type RequestListener } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { createKeyMinter, parsePortalConnection } from '@vitrine/portal-client';
import { createNodeHandler } from '@vitrine/server';

const [portalUrl = '', kind = 'ours'] = process.argv.slice(2);
const connection = {
  tenantUrl: 'https://acme.portal.example',
  apiBaseUrl: portalUrl,
  tenantId: 101,
  tenancyName: 'acme',
  apiKey: 'api-key-Zq83nVb2Lw0x',
  passPhrase: 'pass phrase Km47',
};

const ours = (connections: number): RequestListener =>
  createNodeHandler({
    portal: connection,
    viewer: (request) => ({ userId: String(request.headers['x-user']) }),
    canView: () => true,
    rateLimit: false,
    upstream: { connections, maxQueue: 20_000, attemptTimeoutMs: 20_000, totalTimeoutMs: 60_000 },
    logger: false,
  });

/** A control: one call for each request, whoever else is asking for the same. */
const uncoalesced = (): RequestListener => {
  const minter = createKeyMinter(parsePortalConnection(connection));
  return (request, response) => {
    request.resume();
    void minter
      .mint({ userId: String(request.headers['x-user']), itemId: 1042, lifetimeMs: 60_000 })
      .then(({ key }) => response.end(JSON.stringify({ key })));
  };
};

/** What a server of Node costs that lets everybody wait and does nothing else. */
const plain: RequestListener = (request, response) => {
  request.resume();
  setTimeout(() => response.end('{}'), 8000);
};

const listeners: Record<string, () => RequestListener> = {
  plain: () => plain,
  ours: () => ours(64),
  uncapped: () => ours(4096),
  uncoalesced,
};

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
let peakMb = 0;
const watch = () => {
  peakMb = Math.max(peakMb, process.memoryUsage.rss() / 2 ** 20);
};
setInterval(watch, 50).unref();

const server = createServer(listeners[kind]?.());
server.listen({ port: 0, host: '127.0.0.1', backlog: 16_384 }, () => {
  const address = server.address();
  process.stdout.write(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`);
});
createInterface(process.stdin)
  .on('line', () => {
    watch();
    const eventLoopP99Ms = delay.percentile(99) / 1e6;
    delay.reset();
    process.stdout.write(`${JSON.stringify({ memoryMb: Math.round(peakMb), eventLoopP99Ms })}\n`);
  })
  .on('close', () => process.exit(0));
