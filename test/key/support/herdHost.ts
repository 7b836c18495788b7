/**
 * A host in its own process, so that its memory is separate from the load's. Usage: node herdHost.ts <portal> <kind>.
 * Prints its URL; for each line of input it prints its statistics as JSON.
 */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { createPortalClient } from '@vitrine/portal-client';
import { createNodeHandler, type UpstreamOptions, type VitrineOptions } from '@vitrine/server';
import { connectionTo } from '../../support/standInPortal.ts';

const [portalUrl = '', kind = 'ours'] = process.argv.slice(2) as [string?, HostKind?]; // as startHost() starts it
const connection = connectionTo(portalUrl);

const ours = (
  upstream: UpstreamOptions,
  portal: VitrineOptions<IncomingMessage>['portal'] = connection,
): RequestListener =>
  createNodeHandler({
    portal,
    viewer: (request) => ({ userId: String(request.headers['x-user']) }),
    canView: () => true,
    rateLimit: false,
    upstream,
    logger: false,
  });

/** A control: one call per request, even for equal ones. */
const uncoalesced = (): RequestListener => {
  const { embeddedKeys } = createPortalClient({
    embedding: connection,
    timeoutMs: 60_000,
    maxRetries: 0,
    concurrency: 64,
  });
  return (request, response) => {
    request.resume();
    void embeddedKeys
      .create({ userId: String(request.headers['x-user']), itemId: 1042, lifetimeMs: 60_000 })
      .then(({ key }) => response.end(JSON.stringify({ key })));
  };
};

/** The baseline of a Node server that lets everybody wait and does nothing else. */
const plain: RequestListener = (request, response) => {
  request.resume();
  setTimeout(() => response.end('{}'), 8000);
};

const tenants = [1, 2].map((tenantId) => ({ ...connection, tenantId }));

const tenantOf = (request: IncomingMessage) =>
  tenants.find(({ tenantId }) => String(tenantId) === request.headers['x-tenant']) ?? connection;

/** The connections that the host with two tenants may use at once, each tenant alone or both together. */
const cap = 16;
const attemptTimeoutMs = 300;

/** A control: two tenants with their own secrets, and one connection limit for both. */
const sharedPool = (): RequestListener => {
  const clients = new Map(
    tenants.map((tenant) => [
      tenant.tenantId,
      createPortalClient({ embedding: tenant, timeoutMs: attemptTimeoutMs, maxRetries: 0 }),
    ]),
  );
  let free = cap;
  const line: (() => void)[] = [];
  const mintInTurn = async (request: IncomingMessage): Promise<string | undefined> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => line.push(resolve));
    try {
      const client = clients.get(tenantOf(request).tenantId);
      const userId = String(request.headers['x-user']);
      return (await client?.embeddedKeys.create({ userId, itemId: 1042, lifetimeMs: 60_000 }))?.key;
    } finally {
      const next = line.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
  return (request, response) => {
    request.resume();
    mintInTurn(request).then(
      (key) => response.end(JSON.stringify({ key })),
      () => response.writeHead(502).end(),
    );
  };
};

/** A control: a host that blocks the event loop for a long time. */
const blocking: RequestListener = (request, response) => {
  request.resume();
  const endMs = performance.now() + 80;
  while (performance.now() < endMs);
  response.end('{}');
};

const patient = { connections: 64, maxQueue: 20_000, totalTimeoutMs: 60_000 };
const listeners = {
  plain: () => plain,
  ours: () => ours(patient),
  uncapped: () => ours({ ...patient, connections: 4096 }),
  uncoalesced,
  twoTenants: () => ours({ connections: cap, totalTimeoutMs: 2 * attemptTimeoutMs }, tenantOf),
  sharedPool,
  blocking: () => blocking,
} satisfies Record<string, () => RequestListener>;

export type HostKind = keyof typeof listeners;

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();

let requests = 0;
const server = createServer(listeners[kind]());
server.on('request', () => {
  requests += 1;
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 16_384 }, () => {
  const address = server.address();
  process.stdout.write(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`);
});
createInterface(process.stdin)
  .on('line', () => {
    const eventLoopP99Ms = delay.percentile(99) / 1e6;
    delay.reset();
    const memoryMb = Math.round(process.resourceUsage().maxRSS / 1024);
    process.stdout.write(`${JSON.stringify({ memoryMb, eventLoopP99Ms, requests })}\n`);
  })
  .on('close', () => process.exit(0));
