import { createPortalClient, isPortalError, type PortalClientOptions } from '@vitrine/portal-client';
import { Headers as UndiciHeaders } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serve } from './support/serve.ts';

const baseUrl = 'https://api.portal.example';
const good: PortalClientOptions = { baseUrl, apiKey: 'test-api-key-0123456789' };

const codeOf = async (work: () => unknown): Promise<string | undefined> => {
  try {
    await work();
  } catch (error) {
    if (isPortalError(error)) return `${error.kind} ${error.code}`;
    throw error;
  }
  return undefined;
};

/** A client of an empty service that records its requests. */
const start = async () => {
  const service = await serve(() => ({ body: { items: [], totalCount: 0 } }));
  const client = createPortalClient({ ...good, baseUrl: service.baseUrl });
  onTestFinished(() => client.close());
  return { client, requests: service.requests };
};

describe('the options of createPortalClient()', () => {
  it.each([
    ['readonly for readOnly, which would allow writes', { ...good, readonly: true }, 'unknown_option'],
    ['a string for readOnly, which would allow writes', { ...good, readOnly: 'true' }, 'bad_option_readOnly'],
    ['a negative first page', { ...good, firstPage: -1 }, 'bad_option_firstPage'],
    ['null for the dispatcher', { ...good, dispatcher: null }, 'bad_option_dispatcher'],
    ['a line break in a header', { ...good, headers: { 'x-tenant': 'a\nb' } }, 'bad_option_headers'],
    ['a text for the headers', { ...good, headers: 'x-tenant: acme' }, 'bad_option_headers'],
    ['null', null, 'missing_options'],
    ['nothing', undefined, 'missing_options'],
  ])('are rejected: %s', async (_title, options, code) => {
    // A plain JavaScript host may pass anything.
    expect(await codeOf(() => createPortalClient(options as PortalClientOptions))).toBe(`config ${code}`);
  });

  it('may be undefined', async () => {
    const client = createPortalClient({
      ...good,
      readOnly: undefined,
      firstPage: undefined,
      embedding: undefined,
    });
    expect(client.readOnly).toBe(false);
    await client.close();
  });
});

describe('the option headers', () => {
  it.each([
    ['an object', { 'X-Tenant': 'acme' }],
    ['Headers', new Headers({ 'X-Tenant': 'acme' })],
    ['Headers of undici', new UndiciHeaders({ 'X-Tenant': 'acme' }) as unknown as Headers],
  ])('of a client and of a call may be %s', async (_title, headers) => {
    const service = await serve(() => ({ body: { id: 7 } }));
    for (const [ofClient, ofCall] of [[headers], [undefined, headers]]) {
      const client = createPortalClient({ ...good, baseUrl: service.baseUrl, headers: ofClient });
      onTestFinished(() => client.close());
      await client.users.get(7, { headers: ofCall });
      expect(service.requests.at(-1)?.headers).toMatchObject({ 'x-tenant': 'acme' });
    }
  });

  it('may not set authorization as Headers either', async () => {
    const headers = new Headers({ authorization: 'Bearer x' });
    expect(await codeOf(() => createPortalClient({ ...good, headers }))).toBe('config bad_option_headers');
  });
});

describe('an invalid option', () => {
  it.each([['maxRemoval for maxRemovals', { maxRemoval: 1 }]])(
    'of applyPlan() sends nothing: %s',
    async (_title, options) => {
      const { client, requests } = await start();
      const plan = await client.planSync({ organizationUnits: [{ path: '/Initech' }] });
      requests.length = 0;
      expect(await codeOf(() => client.applyPlan(plan, options as never))).toBe('config unknown_option');
      expect(requests).toEqual([]);
    },
  );

  it.each([
    ['an unknown policy, which would disable users', {}, { missing: 'remove' }, 'bad_option_missing'],
    ['an unknown option', {}, { protected: () => true }, 'unknown_option'],
    ['an unknown field of the desired state', { user: [] }, {}, 'unknown_option'],
    ['the name of a file for its rows', { users: 'people.csv' }, {}, 'bad_option_users'],
  ] satisfies [string, object, object, string][])(
    'of planSync() reads nothing: %s',
    async (...[, desired, options, code]) => {
      const { client, requests } = await start();
      expect(await codeOf(() => client.planSync(desired as never, options as never))).toBe(`config ${code}`);
      expect(requests).toEqual([]);
    },
  );

  it.each([0, -1, 1.5, Number.NaN, 1e9, '8'])(
    'for the concurrency, %j, applies no plan',
    async (concurrency) => {
      const { client, requests } = await start();
      const plan = await client.planSync({ organizationUnits: [{ path: '/Initech' }] });
      requests.length = 0;
      expect(await codeOf(() => client.applyPlan(plan, { concurrency: concurrency as number }))).toBe(
        'config bad_option_concurrency',
      );
      expect(requests).toEqual([]);
    },
  );

  it.each([
    ['a misspelled interval', { pollMS: 10 }, 'unknown_option'],
    ['an interval of NaN, which would never pause', { pollMs: Number.NaN }, 'bad_option_pollMs'],
    ['an interval of 0', { pollMs: 0 }, 'bad_option_pollMs'],
  ])('of follow() reads nothing: %s', async (_title, options, code) => {
    const { client, requests } = await start();
    expect(await codeOf(() => client.audit.follow(options as never))).toBe(`config ${code}`);
    expect(requests).toEqual([]);
  });

  it('of audit.list() reads nothing: an unknown filter, which would show all records', async () => {
    const { client, requests } = await start();
    expect(await codeOf(() => client.audit.list({ user: 7 } as never))).toBe('config unknown_option');
    expect(requests).toEqual([]);
  });
});

it('rejects a runtime without the connection pool of undici at construction', async () => {
  Object.defineProperty(process.versions, 'bun', { value: '1.3.0', configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(process.versions, 'bun'));
  expect(await codeOf(() => createPortalClient(good))).toBe('config unsupported_runtime');
});
