import { createFetchHandler } from '@vitrine/server';
import { describe, expect, it } from 'vitest';
import { connectionTo } from '../support/standInPortal.ts';
import { runElsewhereScenario } from './scenarios/elsewhere.ts';
import { realEndpoint } from './scenarios/identity.ts';

const path = '/api/services/app/ItemLinks/CreateEncryptedKey';

/** A hand-written endpoint: `fetch` follows redirects, and resends the body if the status requires it. */
const byHand = (portalUrl: string) => {
  const { apiKey, passPhrase, tenantUrl } = connectionTo(portalUrl);
  const handler = async (request: Request): Promise<Response> => {
    const answer = await fetch(`${portalUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `ApiKey ${apiKey}` },
      body: JSON.stringify({ value: await request.json(), passPhrase }),
    });
    const { result } = (await answer.json()) as { result: Record<string, unknown> };
    return Response.json({ tenantUrl, ...result });
  };
  return { handler, close: async () => undefined };
};

/** A host that selects its tenant by a header that anybody can send. */
const byHeader = (portalUrl: string) => {
  const handler = createFetchHandler({
    portal: (request: Request) => {
      const host = request.headers.get('x-forwarded-host');
      return connectionTo(host !== null && URL.canParse(`http://${host}`) ? `http://${host}` : portalUrl);
    },
    viewer: () => ({ userId: 'north.manager@acme.example' }),
    canView: () => true,
    rateLimit: false,
    logger: false,
  });
  return { handler, close: handler.close };
};

describe('the destination of calls with secrets', () => {
  it('depends only on the configuration, not on the browser or the portal', async () => {
    const findings = await runElsewhereScenario(realEndpoint);
    expect(findings).toMatchObject({ led: [], misled: [] });
    expect(findings.given).toBeGreaterThan(10);
  });

  it('control: an endpoint that follows redirects sends secrets on, and sends the browser to a URL from the portal', async () => {
    const { led, misled } = await runElsewhereScenario(byHand);
    expect(led).toContain('a redirect 307 of the portal');
    expect(led).toContain('a redirect 302 of the portal');
    expect(misled).toContain('the body of the portal');
  });

  it('control: a host that selects its tenant by a header is misled by it', async () => {
    expect((await runElsewhereScenario(byHeader)).led).toEqual(['the header x-forwarded-host']);
  });
});
