import { createNodeHandler } from '@vitrine/server';
import { expect, it } from 'vitest';
import { connectionTo, startStandInPortal } from '../support/standInPortal.ts';
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
