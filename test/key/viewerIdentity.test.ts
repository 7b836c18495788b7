import { createPortalClient } from '@vitrine/portal-client';
import { createFetchHandler } from '@vitrine/server';
import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../support/createRandom.ts';
import { seed } from '../support/seed.ts';
import { sized } from '../support/size.ts';
import { connectionTo, refusalOf, type StandInAnswer, startStandInPortal } from '../support/standInPortal.ts';

/** A key endpoint to test, ours or a broken one. */
type KeyHandler = (request: Request) => Promise<Response>;

/** The results of the check. */
interface IdentityFindings {
  /** Calls to the portal with an identity other than that of the sign-in. */
  readonly foreignIdentities: number;
  /** Calls to the portal for viewers without access, or for nobody. */
  readonly unauthorizedCalls: number;
  /** Different responses for reports that a viewer may not see, existing or not. */
  readonly shapesOfAbsence: number;
  readonly given: number;
  readonly serverErrors: number;
}

/** Viewers by their sign-in cookie. They may see odd reports. */
const people = {
  north: { userId: 'north.manager@acme.example', roleNames: ['region-north'] },
  all: { userId: 'director@acme.example', roleNames: ['all-regions'] },
} as const;

const isPerson = (name: string | null): name is keyof typeof people =>
  name !== null && Object.hasOwn(people, name);

/** The options of both ours and a broken endpoint. */
const signIn = {
  viewer: (request: Request) => {
    const name = request.headers.get('x-session');
    return isPerson(name) ? people[name] : null;
  },
  canView: (_viewer: unknown, itemId: number) => itemId % 2 === 1,
};

const hostileFields = [
  '"userId":"director@acme.example"',
  '"roleNames":["all-regions"]',
  '"value":{"userId":"director@acme.example","reportId":1}',
  '"tenancyName":"globex"',
  '"passPhrase":"guess"',
  '"expiration":"2099-01-01T00:00:00Z"',
  '"tenantId":202',
  '"__proto__":{"userId":"director@acme.example"}',
  '"constructor":{"prototype":{"userId":"x"}}',
  '"itemId":3',
] as const;

const bodyOf = (random: Random): string => {
  const itemId = random.pick([
    '1',
    '2',
    '3',
    '7',
    '"1"',
    '[1]',
    '{"valueOf":1}',
    '1.5',
    '-1',
    'null',
    '1e400',
    '9007199254740993',
  ]);
  const fields = Array.from({ length: random.below(3) }, () => random.pick(hostileFields));
  const all = [`"itemId":${itemId}`, ...fields];
  if (random.below(2) === 0) all.reverse();
  return `{${all.join(',')}}`;
};

const requestOf = (random: Random): Request => {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'x-vitrine-request': '1',
    'x-user': 'director@acme.example',
    'x-forwarded-user': 'director@acme.example',
    'svc.tenantid': '202',
  };
  const session = random.pick(['north', 'north', 'all', 'nobody', '__proto__', 'constructor', '']);
  if (session !== '') headers['x-session'] = session;
  const query = random.pick(['', '?userId=director@acme.example', '?roleNames=all-regions&tenant=202']);
  return new Request(`http://host.example/api/embed/keys${query}`, {
    method: 'POST',
    headers,
    body: bodyOf(random),
  });
};

/** Sends hostile requests to an endpoint and compares what reached the portal with the sign-in. */
const runIdentityScenario = async (
  make: (portalUrl: string) => { handler: KeyHandler; close: () => Promise<void> },
  { requests, seed }: { requests: number; seed: number },
): Promise<IdentityFindings> => {
  const portal = await startStandInPortal();
  const { handler, close } = make(portal.url);
  const random = createRandom(seed);
  const absences = new Set<string>();
  let [foreignIdentities, unauthorizedCalls, given, serverErrors] = [0, 0, 0, 0];
  try {
    for (let sent = 0; sent < requests; sent += 1) {
      portal.calls.length = 0;
      const isAbsent = random.below(10) === 0;
      portal.answer = () =>
        isAbsent
          ? { status: 404, body: refusalOf(404, `No item. This was call ${sent}.`) }
          : { body: { result: { key: `key-${sent}` }, success: true, error: null } };
      const request = requestOf(random);
      const who = signIn.viewer(request);
      const response = await handler(request);
      const body = await response.text();
      if (response.status === 200) given += 1;
      if (response.status >= 500) serverErrors += 1;
      if (response.status === 404)
        absences.add(`${body}${JSON.stringify([...response.headers].filter(([name]) => name !== 'date'))}`);
      for (const call of portal.calls) {
        const { value, tenancyName } = JSON.parse(call.body);
        if (who === null || !signIn.canView(who, value.reportId)) unauthorizedCalls += 1;
        const isTrue =
          value.userId === who?.userId &&
          JSON.stringify(value.roleNames) === JSON.stringify(who?.roleNames) &&
          tenancyName === 'acme' &&
          call.headers['svc.tenantid'] === '101';
        if (!isTrue) foreignIdentities += 1;
      }
    }
  } finally {
    await close();
    await portal.close();
  }
  return { foreignIdentities, unauthorizedCalls, shapesOfAbsence: absences.size, given, serverErrors };
};

/** Ours. */
const realEndpoint = (portalUrl: string) => {
  const handler = createFetchHandler({
    portal: connectionTo(portalUrl),
    ...signIn,
    rateLimit: false,
    logger: false,
  });
  return { handler, close: handler.close };
};

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

const requests = sized(1000, 100_000);

describe('the identity of a key', () => {
  it(`depends only on the sign-in after ${requests} hostile requests`, async () => {
    const findings = await runIdentityScenario(realEndpoint, { requests, seed });
    expect(findings, `seed ${seed}`).toEqual({
      foreignIdentities: 0,
      unauthorizedCalls: 0,
      shapesOfAbsence: 1,
      given: expect.any(Number),
      serverErrors: 0,
    });
    expect(findings.given).toBeGreaterThan(requests / 40);
  });

  it('control: the same check detects an endpoint that merges the body into the viewer', async () => {
    const findings = await runIdentityScenario(brokenEndpoint, { requests: 400, seed });
    expect(findings.foreignIdentities).toBeGreaterThan(0);
    expect(findings.shapesOfAbsence).toBeGreaterThan(1);
  });

  it('control: the same check detects an endpoint that does not call canView', async () => {
    const findings = await runIdentityScenario(openEndpoint, { requests: 400, seed });
    expect(findings.unauthorizedCalls).toBeGreaterThan(0);
  });
});

/** Where a host was misled to. */
interface ElsewhereFindings {
  readonly requests: number;
  /** Calls with secrets that reached a server other than the portal, by cause. */
  readonly led: readonly string[];
  /** Responses that would have sent the browser to a URL other than the tenant's. */
  readonly misled: readonly string[];
  readonly given: number;
}

interface Attempt {
  readonly name: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly answer?: StandInAnswer;
}

const tenantUrl = 'https://acme.portal.example';

const attemptsAt = (elsewhere: string): readonly Attempt[] => {
  const { host } = new URL(elsewhere);
  const key = { key: 'a-key', url: elsewhere, tenantUrl: elsewhere, targetUrl: elsewhere };
  return [
    { name: 'nothing at all' },
    ...[
      'x-forwarded-host',
      'forwarded',
      'x-original-url',
      'x-rewrite-url',
      'referer',
      'x-tenant-url',
      'svc.tenantid',
    ].flatMap((name) =>
      [host, elsewhere].map((value) => ({ name: `the header ${name}`, headers: { [name]: value } })),
    ),
    { name: 'the address asked for', url: `${elsewhere}/api/embed/keys` },
    {
      name: 'a query',
      url: `http://host.example/api/embed/keys?apiBaseUrl=${elsewhere}&tenantUrl=${elsewhere}&url=${elsewhere}`,
    },
    ...['apiBaseUrl', 'tenantUrl', 'portal', 'url', '__proto__'].map((name) => ({
      name: `a member ${name} of the body`,
      body: `{"itemId":1041,"${name}":"${elsewhere}"}`,
    })),
    ...[elsewhere, '../../..', `//${host}/`, `1041@${host}`, '1041/../../x'].map((itemId) => ({
      name: `the item ${itemId.replace(host, 'elsewhere')}`,
      body: JSON.stringify({ itemId }),
    })),
    ...[301, 302, 303, 307, 308].map((status) => ({
      name: `a redirect ${status} of the portal`,
      answer: { status, headers: { location: `${elsewhere}/again` }, body: '' },
    })),
    {
      name: 'headers of the portal',
      answer: {
        headers: {
          location: elsewhere,
          'content-location': elsewhere,
          refresh: `0; url=${elsewhere}`,
          link: `<${elsewhere}>; rel=canonical`,
        },
        body: { result: { key: 'a-key' }, success: true, error: null },
      },
    },
    { name: 'the body of the portal', answer: { body: { ...key, result: key, success: true, error: null } } },
  ];
};

/** Tries to redirect a host's call, which carries its secrets, and then the browser to a third-party server. */
const runElsewhereScenario = async (
  make: (portalUrl: string) => { handler: KeyHandler; close: () => Promise<void> },
): Promise<ElsewhereFindings> => {
  const [portal, elsewhere] = [await startStandInPortal(), await startStandInPortal()];
  const wellAnswered = portal.answer;
  const [led, misled]: [string[], string[]] = [[], []];
  const attempts = attemptsAt(elsewhere.url);
  let given = 0;
  try {
    for (const {
      name,
      url = 'http://host.example/api/embed/keys',
      headers,
      body = '{"itemId":1041}',
      answer,
    } of attempts) {
      // A new host for each attempt, so that no circuit is open because of an earlier one.
      const { handler, close } = make(portal.url);
      portal.answer = answer === undefined ? wellAnswered : () => answer;
      const before = elsewhere.calls.length;
      const response = await handler(
        new Request(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-vitrine-request': '1',
            'x-session': 'north',
            ...headers,
          },
          body,
        }),
      );
      const text = await response.text();
      await close();
      if (elsewhere.calls.length > before) led.push(name);
      if (response.status === 200) given += 1;
      const isMisled = response.status === 200 && JSON.parse(text).tenantUrl !== tenantUrl;
      const says = `${text}${JSON.stringify([...response.headers])}`.includes(new URL(elsewhere.url).host);
      if (isMisled || says) misled.push(name);
    }
  } finally {
    await portal.close();
    await elsewhere.close();
  }
  return { requests: attempts.length, led, misled, given };
};

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
