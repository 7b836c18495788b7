import { createPortalClient, isPortalError, type PortalClientOptions } from '@vitrine/portal-client';
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

/** A client of a service that keeps what it is sent and is empty. */
const start = async () => {
  const service = await serve(() => ({ body: { items: [], totalCount: 0 } }));
  const client = createPortalClient({ ...good, baseUrl: service.baseUrl });
  onTestFinished(() => client.close());
  return { client, requests: service.requests };
};

describe('the options of a client', () => {
  it.each([
    ['readonly for readOnly, which would write', { ...good, readonly: true }, 'unknown_option'],
    ['a text for readOnly, which would write', { ...good, readOnly: 'true' }, 'bad_option_readOnly'],
    ['a page before the first', { ...good, firstPage: -1 }, 'bad_option_firstPage'],
    ['null', null, 'missing_options'],
    ['nothing', undefined, 'missing_options'],
  ])('do not start one: %s', async (_title, options, code) => {
    // A host in plain JavaScript may hand in anything.
    expect(await codeOf(() => createPortalClient(options as PortalClientOptions))).toBe(`config ${code}`);
  });

  it('may be undefined, as if they were left out', async () => {
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

describe('a misspelt option', () => {
  it.each([
    ['dryrun for dryRun', { dryrun: true }],
    ['a limit of removals', { maxRemoval: 1 }],
  ])('of provision or of applying a plan sends nothing: %s', async (_title, options) => {
    const { client, requests } = await start();
    expect(await codeOf(() => client.provision({ name: 'Initech' }, options as never))).toBe(
      'config unknown_option',
    );
    expect(requests).toEqual([]);
    const plan = await client.planSync({ organizationUnits: [{ path: '/Initech' }] });
    requests.length = 0;
    expect(await codeOf(() => client.applyPlan(plan, options as never))).toBe('config unknown_option');
    expect(requests).toEqual([]);
  });

  it.each([
    ['an unknown policy, which would disable', {}, { missing: 'remove' }, 'bad_option_missing'],
    ['an unknown way with lists, which would replace', {}, { lists: 'append' }, 'bad_option_lists'],
    ['an option', {}, { protected: () => true }, 'unknown_option'],
    ['a part of what is wanted', { user: [] }, {}, 'unknown_option'],
  ] satisfies [string, object, object, string][])(
    'of planning reads nothing: %s',
    async (...[, desired, options, code]) => {
      const { client, requests } = await start();
      expect(await codeOf(() => client.planSync(desired as never, options as never))).toBe(`config ${code}`);
      expect(requests).toEqual([]);
    },
  );

  it.each([
    ['a part of a customer', { name: 'Initech', organisationUnits: ['Sales'] }, 'unknown_option'],
    ['no customer', undefined, 'missing_options'],
  ])('of provisioning sends nothing: %s', async (_title, customer, code) => {
    const { client, requests } = await start();
    expect(await codeOf(() => client.provision(customer as never))).toBe(`config ${code}`);
    expect(requests).toEqual([]);
  });

  it.each([0, -1, 1.5, Number.NaN, 1e9, '8'])(
    'runs no plan with a concurrency of %j',
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
    ['a misspelt pause', { pollMS: 10 }, 'unknown_option'],
    ['a pause that is not a number, which would never rest', { pollMs: Number.NaN }, 'bad_option_pollMs'],
    ['no pause', { pollMs: 0 }, 'bad_option_pollMs'],
    ['a look ahead', { overlapMs: -1 }, 'bad_option_overlapMs'],
  ])('of following reads nothing: %s', async (_title, options, code) => {
    const { client, requests } = await start();
    expect(await codeOf(() => client.auditLogs.follow(options as never))).toBe(`config ${code}`);
    expect(requests).toEqual([]);
  });
});
