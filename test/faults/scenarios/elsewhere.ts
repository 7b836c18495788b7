import { type StandInAnswer, startStandInPortal } from '../../support/standInPortal.ts';
import type { KeyHandler } from './identity.ts';

/** Where a host was misled to. */
export interface ElsewhereFindings {
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
export const runElsewhereScenario = async (
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
