import { describe, expect, it } from 'vitest';
import { seed } from '../support/seed.ts';
import { sized } from '../support/size.ts';
import { runFuzz } from './support/fuzz.ts';

const cases = sized(1_000, 3_000);

describe('any response of the service', () => {
  it('ends in a result or a PortalError', async () => {
    const result = await runFuzz({ cases, seed });
    expect(result).toMatchObject({ seed, cases, untyped: [], hung: 0 });
    // The run is meaningful only if responses of every kind occurred.
    expect(result.succeeded).toBeGreaterThan(cases / 30);
    for (const kind of ['invalid', 'not_found', 'invalid_response', 'business', 'server', 'network'])
      expect(result.kinds).toHaveProperty(kind);
    expect(Object.prototype).not.toHaveProperty('id');
  });

  it('control: ends otherwise for a client that trusts its input', async () => {
    const result = await runFuzz({
      cases: 200,
      seed,
      replace: (_, baseUrl) => async () => {
        const response = await fetch(`${baseUrl}/v1/users`);
        const body = await response.json();
        return body.items.map((user: { email: string }) => user.email.toLowerCase());
      },
    });
    expect(result.untyped.length).toBeGreaterThan(0);
  });
});
