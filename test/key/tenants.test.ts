import { createPortalClient } from '@vitrine/portal-client';
import { createFetchHandler } from '@vitrine/server';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../support/createRandom.ts';
import { keyRequest } from '../support/keyRequest.ts';
import { seed } from '../support/seed.ts';
import { sized } from '../support/size.ts';
import {
  connectionTo,
  envelopeOf,
  type StandInPortal,
  startStandInPortal,
} from '../support/standInPortal.ts';

/** An endpoint for many tenants, ours or a broken one; the header `x-user` starts with the tenant. */
interface TenantHost {
  readonly handler: (request: Request) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/** What was recorded while many tenants were served at once. */
interface TenantFindings {
  readonly given: number;
  /** Keys, URLs or secrets of one tenant that another received. */
  readonly crossings: number;
  /** Failures of tenants with a working portal. */
  readonly failuresOfOthers: number;
  /** Failures of the tenant whose portal was down. */
  readonly failuresOfTheBroken: number;
}

const tenantOf = (request: Request): number => Number(request.headers.get('x-user')?.split(':')[0]);

/** The connection of a tenant by its number; each has its own secrets. */
const connectionOf = (url: string, tenant: number) => ({
  ...connectionTo(url),
  tenantUrl: `https://tenant-${tenant}.portal.example`,
  tenancyName: `tenant-${tenant}`,
  tenantId: tenant + 1,
  apiKey: `api-key-of-tenant-${tenant}`,
  passPhrase: `passphrase-of-tenant-${tenant}`,
});

type Connections = readonly ReturnType<typeof connectionOf>[];

/** Ours. */
const realHost = (connections: Connections): TenantHost => {
  const handler = createFetchHandler({
    portal: (request: Request) => connections[tenantOf(request)] ?? connectionTo('http://127.0.0.1:9'),
    // Viewers of all tenants share their names.
    viewer: (request) => ({ userId: request.headers.get('x-user')?.split(':')[1] ?? '' }),
    canView: () => true,
    rateLimit: false,
    logger: false,
    upstream: { retry: false },
  });
  return { handler, close: handler.close };
};

/** The classic mistake: a cache key without the tenant. */
const brokenHost = (connections: Connections): TenantHost => {
  const kept = new Map<string, string>();
  const clients = connections.map((embedding) => createPortalClient({ embedding }));
  const handler = async (request: Request): Promise<Response> => {
    const tenant = tenantOf(request);
    const userId = request.headers.get('x-user')?.split(':')[1] ?? '';
    const { itemId } = await request.json();
    const id = `${userId}|${itemId}`;
    const client = clients[tenant];
    const key =
      kept.get(id) ?? (await client?.embeddedKeys.create({ userId, itemId, lifetimeMs: 60_000 }))?.key ?? '';
    kept.set(id, key);
    return Response.json({ key, tenantUrl: connections[tenant]?.tenantUrl });
  };
  return {
    handler: (request) => handler(request).catch(() => new Response('failed', { status: 502 })),
    close: async () => {
      await Promise.all(clients.map((client) => client.close()));
    },
  };
};

const broken = 0;

/** A portal whose keys name their tenant, and which fails for one tenant on request. */
const startPortal = async (): Promise<StandInPortal & { isOneDown: boolean }> => {
  const portal = Object.assign(await startStandInPortal(), { isOneDown: false });
  portal.answer = (call) => {
    const { tenancyName, passPhrase } = JSON.parse(call.body);
    if (portal.isOneDown && tenancyName === `tenant-${broken}`) return { status: 503, body: '' };
    return {
      body: envelopeOf(
        `${tenancyName}/${String(call.headers['svc.tenantid'])}/${call.headers.authorization?.split(' ')[1]}/${passPhrase}/${portal.calls.length}`,
      ),
    };
  };
  return portal;
};

/** Serves many tenants at once, makes the portal of one fail for the second half, and reads every key. */
const runTenantsScenario = async (
  make: (connections: Connections) => TenantHost,
  { tenants, requests, seed }: { tenants: number; requests: number; seed: number },
): Promise<TenantFindings> => {
  const portal = await startPortal();
  const connections = Array.from({ length: tenants }, (_, tenant) => connectionOf(portal.url, tenant));
  const { handler, close } = make(connections);
  const random = createRandom(seed);
  let [given, crossings, failuresOfOthers, failuresOfTheBroken] = [0, 0, 0, 0];
  const ask = async () => {
    const tenant = random.below(tenants);
    // Few viewers and reports, so that equal requests of several tenants overlap.
    const response = await handler(keyRequest(1 + random.below(40), `${tenant}:user-${random.below(20)}`));
    const body: { key?: string; tenantUrl?: string } = await response.json().catch(() => ({}));
    if (response.status !== 200) {
      if (tenant === broken) failuresOfTheBroken += 1;
      else failuresOfOthers += 1;
      return;
    }
    given += 1;
    const own = `tenant-${tenant}/${tenant + 1}/api-key-of-tenant-${tenant}/passphrase-of-tenant-${tenant}/`;
    if (!body.key?.startsWith(own) || body.tenantUrl !== `https://tenant-${tenant}.portal.example`)
      crossings += 1;
  };
  try {
    const width = 40;
    for (let sent = 0; sent < requests; sent += width) {
      portal.isOneDown = sent > requests / 2;
      await Promise.all(Array.from({ length: width }, ask));
    }
  } finally {
    await close();
    await portal.close();
  }
  return { given, crossings, failuresOfOthers, failuresOfTheBroken };
};

const requests = sized(1500, 100_000);

describe('many tenants in one host', () => {
  it('never share a key, a secret or an outage', async () => {
    const findings = await runTenantsScenario(realHost, { tenants: 50, requests, seed });
    expect(findings, `seed ${seed}`).toMatchObject({ crossings: 0, failuresOfOthers: 0 });
    expect(findings.failuresOfTheBroken).toBeGreaterThan(0);
    expect(findings.given).toBeGreaterThan(0.9 * requests);
  });

  it('control: the same check detects a cache key without the tenant', async () => {
    const findings = await runTenantsScenario(brokenHost, { tenants: 5, requests: 400, seed });
    expect(findings.crossings).toBeGreaterThan(0);
  });
});
