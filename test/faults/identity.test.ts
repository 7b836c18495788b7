import { createPortalClient } from '@vitrine/portal-client';
import { createFetchHandler } from '@vitrine/server';
import { describe, expect, it } from 'vitest';
import { connectionTo } from '../support/standInPortal.ts';
import { realEndpoint, runIdentityScenario, signIn } from './scenarios/identity.ts';

/** The classic mistake: what the browser sent is merged over the viewer of the server. */
const brokenEndpoint = (portalUrl: string) => {
  const client = createPortalClient({ embedding: connectionTo(portalUrl) });
  const handler = async (request: Request): Promise<Response> => {
    const who = signIn.viewer(request);
    if (who === null) return new Response('signed out', { status: 401 });
    try {
      const wish = { lifetimeMs: 60_000, ...who, ...(await request.json()) };
      if (!signIn.canView(who, wish.itemId)) return new Response(`not open: ${wish.itemId}`, { status: 404 });
      return Response.json(await client.embeddedKeys.create(wish));
    } catch {
      return new Response('refused', { status: 400 });
    }
  };
  return { handler, close: () => client.close() };
};

/** Every signed-in viewer may open any report whose number they can guess. */
const openEndpoint = (portalUrl: string) => {
  const portal = connectionTo(portalUrl);
  const handler = createFetchHandler({
    ...signIn,
    portal,
    canView: () => true,
    rateLimit: false,
    logger: false,
  });
  return { handler, close: handler.close };
};

describe('the identity of a key', () => {
  it('depends only on the sign-in after 4,000 hostile requests', async () => {
    const findings = await runIdentityScenario(realEndpoint, { requests: 4000, seed: 11 });
    expect(findings).toEqual({
      foreignIdentities: 0,
      unauthorizedCalls: 0,
      shapesOfAbsence: 1,
      given: expect.any(Number),
      serverErrors: 0,
    });
    expect(findings.given).toBeGreaterThan(100);
  });

  it('control: the same check detects an endpoint that merges the body into the viewer', async () => {
    const findings = await runIdentityScenario(brokenEndpoint, { requests: 400, seed: 11 });
    expect(findings.foreignIdentities).toBeGreaterThan(0);
    expect(findings.shapesOfAbsence).toBeGreaterThan(1);
  });

  it('control: the same check detects an endpoint that does not call canView', async () => {
    const findings = await runIdentityScenario(openEndpoint, { requests: 400, seed: 11 });
    expect(findings.unauthorizedCalls).toBeGreaterThan(0);
  });
});
