import { runInThisContext } from 'node:vm';
import { portalFromEnv, type VitrineOptions, vitrine } from '@vitrine/express';
import express, { type Request } from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { recordLog } from '../support/recordLog.ts';
import { serveUntilEnd } from '../support/serveUntilEnd.ts';
import { connectionTo, envelopeOf, startStandInPortal } from '../support/standInPortal.ts';

/** The fields in which two tenants differ. */
const tenants: Record<string, { tenancyName: string; tenantId: number; apiKey: string }> = {
  acme: { tenancyName: 'acme', tenantId: 101, apiKey: 'api-key-of-acme' },
  globex: { tenancyName: 'globex', tenantId: 102, apiKey: 'api-key-of-globex' },
};
const tenantOf = (request: Request) => tenants[request.get('x-tenant') ?? ''];

/** A host of both tenants in front of one portal, whose keys name the tenant that they are for. */
const start = async (
  portalOf: (connection: ReturnType<typeof connectionTo>) => VitrineOptions<Request>['portal'],
  options: Partial<VitrineOptions<Request>> = {},
) => {
  const portal = await startStandInPortal();
  portal.answer = ({ headers, body }) => ({
    body: envelopeOf(
      [JSON.parse(body).tenancyName, headers['svc.tenantid'], headers.authorization?.split(' ')[1]].join('/'),
    ),
  });
  const logger = recordLog();
  const handler = vitrine({
    portal: portalOf(connectionTo(portal.url)),
    viewer: () => ({ userId: 'anna' }),
    canView: () => true,
    logger,
    ...options,
  });
  const url = await serveUntilEnd(express().use('/api/embed', handler));
  onTestFinished(async () => {
    await handler.close();
    await portal.close();
  });
  const askAs = async (tenant: string): Promise<string | number> => {
    const response = await fetch(`${url}/api/embed/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-vitrine-request': '1', 'x-tenant': tenant },
      body: '{"itemId":1042}',
    });
    const { key } = await response.json();
    return response.status === 200 ? key : response.status;
  };
  return { portal, askAs, problems: () => logger.lines.map(({ fields }) => fields['problem']) };
};

const keys = { acme: 'acme/101/api-key-of-acme', globex: 'globex/102/api-key-of-globex' };

describe('a portal() that returns one object for all tenants', () => {
  it('gives each tenant its own key', async () => {
    const { askAs } = await start((connection) => (req) => Object.assign(connection, tenantOf(req)));
    for (const tenant of ['acme', 'globex', 'acme'] as const) expect(await askAs(tenant)).toBe(keys[tenant]);
  });

  it('gives each tenant its own key while the calls of others wait', async () => {
    const [arrived, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let asked = 0;
    const { portal, askAs } = await start((connection) => (req) => Object.assign(connection, tenantOf(req)), {
      canView: async () => {
        asked += 1;
        // The object has changed twice before the first request calls the portal.
        if (asked === 3) arrived.resolve();
        await arrived.promise;
        return true;
      },
    });
    const { answer } = portal;
    portal.answer = async (call, response) => {
      if (portal.calls.length === 2) gate.resolve();
      await gate.promise;
      return answer(call, response);
    };
    const asking = (['acme', 'globex', 'acme'] as const).map((tenant) => askAs(tenant));
    expect(await Promise.all(asking)).toEqual([keys.acme, keys.globex, keys.acme]);
    expect(portal.calls).toHaveLength(2);
  });

  it('gives each tenant its own key if the object has getters', async () => {
    const { askAs } = await start((connection) => {
      let current = tenants['acme'];
      const shared = {
        ...connection,
        get tenancyName() {
          return current?.tenancyName ?? '';
        },
        get tenantId() {
          return current?.tenantId ?? 0;
        },
        get apiKey() {
          return current?.apiKey ?? '';
        },
      };
      return (req) => {
        current = tenantOf(req);
        return shared;
      };
    });
    for (const tenant of ['acme', 'globex', 'acme'] as const) expect(await askAs(tenant)).toBe(keys[tenant]);
  });

  it('uses new secrets in the same object', async () => {
    let apiKey = 'api-key-of-acme';
    const { askAs } = await start(
      (connection) => async (req) => Object.assign(connection, tenantOf(req), { apiKey }),
    );
    expect(await askAs('acme')).toBe(keys.acme);
    apiKey = 'new-api-key-of-acme';
    expect(await askAs('acme')).toBe('acme/101/new-api-key-of-acme');
  });

  it('is an error if it is async, because a request that overlaps may have changed the object', async () => {
    const { askAs, problems } = await start(
      (connection) => async (req) => Object.assign(connection, tenantOf(req)),
    );
    expect([await askAs('acme'), await askAs('globex'), await askAs('acme')]).toEqual([keys.acme, 500, 500]);
    const problem = expect.stringContaining('Return a new object for each tenant');
    expect(problems()).toEqual([problem, problem]);
  });
});

it('gives each tenant its own key if an async portal() returns new objects', async () => {
  const { askAs } = await start((connection) => async (req) => ({ ...connection, ...tenantOf(req) }));
  expect(await Promise.all([askAs('acme'), askAs('globex')])).toEqual([keys.acme, keys.globex]);
});

it('keeps the tenant of the option portal when the host changes its object later', async () => {
  const shared: { connection?: object } = {};
  const { askAs } = await start((connection) => {
    shared.connection = Object.assign(connection, tenants['acme']);
    return connection;
  });
  Object.assign(shared.connection ?? {}, tenants['globex']);
  expect(await askAs('globex')).toBe(keys.acme);
});

describe('the connection of portalFromEnv()', () => {
  const env = {
    VITRINE_TENANT_URL: 'https://acme.portal.example',
    VITRINE_API_BASE_URL: 'https://api.portal.example',
    VITRINE_TENANT_ID: '101',
    VITRINE_TENANCY_NAME: 'acme',
    VITRINE_API_KEY: 'api-key-of-acme',
    VITRINE_API_KEY_PREVIOUS: 'old-api-key-of-acme',
    VITRINE_PASSPHRASE: 'pass phrase of acme',
  };

  it('cannot be changed for another tenant', async () => {
    const { portal, askAs, problems } = await start(() => {
      const connection = portalFromEnv(env);
      return (req) => Object.assign(connection, tenantOf(req));
    });
    expect(await askAs('globex')).toBe(500);
    expect(portal.calls).toHaveLength(0);
    expect(problems()).toEqual([expect.stringContaining('{ ...portalFromEnv(), tenancyName')]);
  });

  it('is frozen, and says so in sloppy mode too', () => {
    const connection = portalFromEnv(env);
    expect([Object.isFrozen(connection), Object.isFrozen(connection.apiKey)]).toEqual([true, true]);
    // A module is strict; this script is not.
    const assign = runInThisContext('(connection) => { connection.tenancyName = "globex"; }');
    expect(() => assign(connection)).toThrow('{ ...portalFromEnv(), tenancyName');
    expect(connection.tenancyName).toBe('acme');
    expect({ ...connection, tenancyName: 'globex' }).toMatchObject({
      tenantId: '101',
      tenancyName: 'globex',
    });
  });
});
