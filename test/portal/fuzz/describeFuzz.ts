import { afterAll, beforeAll, expect, it } from 'vitest';
import { fc } from '../../support/fc.ts';
import { administer } from '../administer.ts';
import { type FuzzedPortal, startFuzzedPortal } from './fuzzedPortal.ts';
import { fuzzProperty } from './fuzzProperty.ts';

/** The number of requests. */
export interface FuzzSize {
  readonly requests: number;
  readonly timeoutMs: number;
  /** Default: SQLite in memory. */
  readonly database?: string;
}

/** Sends generated requests to a portal and checks every response against the rules. */
export const describeFuzz = ({ requests, timeoutMs: timeout, database }: FuzzSize): void => {
  let fuzzed: FuzzedPortal;
  beforeAll(async () => {
    fuzzed = await startFuzzedPortal(database);
  });
  afterAll(() => fuzzed.close());

  it(`answers ${requests.toLocaleString('en')} generated requests without a crash, a leak or an error that names no field`, {
    timeout,
  }, async () => {
    const { rules, address, otherTenant, portal } = fuzzed;
    const before = await otherTenant();
    await fc.assert(fuzzProperty(rules, address), { numRuns: requests, endOnFailure: true });
    expect(await otherTenant()).toEqual(before);
    expect({}).not.toHaveProperty('polluted');
    const [acme] = portal.tenants;
    if (acme === undefined) throw new Error('The seed has tenants.');
    expect((await administer(acme, 'GET /v1/users?pageSize=1')).status).toBe(200);
  });
};
