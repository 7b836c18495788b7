import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { sized } from '../support/size.ts';
import { honestFetchHost, honestHost } from './scenarios/honestHosts.ts';
import { runHostileScenario } from './scenarios/hostileRequests.ts';
import { runMalformedScenario } from './scenarios/malformed.ts';

const malformed = sized(1_000, 3_000);
const hostile = sized(5_000, 20_000);
/** One kilobyte for each request; the control retains three times as much. */
const retainedMb = hostile / 1_000;

/** A handler that trusts its input: it parses before it checks. */
const credulousHost: RequestListener = (request, response) => {
  let text = '';
  request.on('data', (chunk) => {
    text += chunk;
  });
  request.on('end', () => {
    try {
      response.end(String(JSON.parse(text).itemId.toFixed()));
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.stack : '');
    }
  });
};

describe('malformed traffic', () => {
  it(`does not change the endpoint after ${malformed} malformed or hostile requests`, async () => {
    const findings = await runMalformedScenario(await honestHost(), { requests: malformed, seed: 12 });
    expect(findings).toMatchObject({
      serverErrors: 0,
      unhandled: 0,
      isPrototypeIntact: true,
      isAlive: true,
    });
    expect(Object.keys(findings.answers)).toEqual(
      expect.arrayContaining(['200', '400', '403', '405', '413', '415']),
    );
  });

  it('control: the same check detects a handler that parses first', async () => {
    const { serverErrors } = await runMalformedScenario(credulousHost, { requests: 320, seed: 12 });
    expect(serverErrors).toBeGreaterThan(0);
  });
});

describe('hostile requests without a network', () => {
  it(`are all rejected, and ${hostile} of them retain no memory`, async () => {
    const findings = await runHostileScenario(await honestFetchHost(), { requests: hostile, seed: 12 });
    expect(findings).toMatchObject({ serverErrors: 0, isPrototypeIntact: true });
    expect(findings.heapGrowthMb).toBeLessThan(retainedMb);
    expect(Object.keys(findings.answers)).toEqual(
      expect.arrayContaining(['200', '400', '403', '404', '405', '413', '415']),
    );
  });

  it('control: the same check detects a handler that retains its input', async () => {
    const kept: number[][] = [];
    const findings = await runHostileScenario(
      async () => {
        kept.push(Array.from({ length: 400 }, (_, n) => n));
        return new Response();
      },
      { requests: hostile, seed: 12 },
    );
    expect(kept).toHaveLength(hostile);
    expect(findings.heapGrowthMb).toBeGreaterThan(retainedMb);
  });
});
