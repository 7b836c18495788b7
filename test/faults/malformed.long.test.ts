import { createFetchHandler, createNodeHandler } from '@vitrine/server';
import { expect, it } from 'vitest';
import { connectionTo, startStandInPortal } from '../support/standInPortal.ts';
import { runHostileGate } from './gates/hostileRequests.ts';
import { runMalformedGate } from './gates/malformed.ts';

it('leaves the endpoint as it was after 100,000 broken or hostile requests', {
  timeout: 900_000,
}, async () => {
  const portal = await startStandInPortal();
  const handler = createNodeHandler({
    portal: connectionTo(portal.url),
    viewer: () => ({ userId: 'north.manager@acme.example' }),
    canView: () => true,
    rateLimit: false,
    logger: false,
  });
  const seed = Date.now() % 1_000_000;
  const findings = await runMalformedGate(handler, { requests: 100_000, seed });
  await handler.close();
  await portal.close();
  expect(findings, `seed ${seed}`).toMatchObject({
    serverErrors: 0,
    unhandled: 0,
    isPrototypeIntact: true,
    isAlive: true,
  });
});

it('refuses 5,000,000 hostile requests and keeps nothing of them', { timeout: 3_600_000 }, async () => {
  const portal = await startStandInPortal();
  const handler = createFetchHandler({
    portal: connectionTo(portal.url),
    viewer: () => ({ userId: 'north.manager@acme.example' }),
    canView: () => true,
    rateLimit: false,
    cache: true,
    logger: false,
  });
  const seed = Date.now() % 1_000_000;
  const findings = await runHostileGate(handler, { requests: 5_000_000, seed });
  await handler.close();
  await portal.close();
  process.stdout.write(`hostile, seed ${seed}: ${JSON.stringify(findings)}\n`);
  expect(findings, `seed ${seed}`).toMatchObject({ serverErrors: 0, isPrototypeIntact: true });
  expect(findings.heapGrowthMb, `seed ${seed}`).toBeLessThan(20);
});
