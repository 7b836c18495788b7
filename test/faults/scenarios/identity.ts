import { createFetchHandler } from '@vitrine/server';
import { createRandom, type Random } from '../../support/createRandom.ts';
import { connectionTo, refusalOf, startStandInPortal } from '../../support/standInPortal.ts';

/** A key endpoint to test, ours or a broken one. */
export type KeyHandler = (request: Request) => Promise<Response>;

/** The results of the check. */
export interface IdentityFindings {
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
export const signIn = {
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
export const runIdentityScenario = async (
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
export const realEndpoint = (portalUrl: string) => {
  const handler = createFetchHandler({
    portal: connectionTo(portalUrl),
    ...signIn,
    rateLimit: false,
    logger: false,
  });
  return { handler, close: handler.close };
};
