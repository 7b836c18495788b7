/** What a page of another site obtained from a host where its visitor is signed in. */
export interface CrossSiteFindings {
  readonly sent: number;
  /** Requests that the host answered as if its own page had sent them. */
  readonly served: readonly string[];
}

interface ForeignRequest {
  readonly name: string;
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The headers that browsers send for a page of another site: current browsers, a sandboxed frame, older browsers, and
 * old ones with a form.
 */
const originsOf = (host: string): Readonly<Record<string, Record<string, string>>> => ({
  'another site': { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  'another site with our name in its own': {
    origin: `http://${host}.evil.example`,
    'sec-fetch-site': 'cross-site',
  },
  'another host of our site': { origin: 'https://blog.app.example', 'sec-fetch-site': 'same-site' },
  'a sandbox': { origin: 'null', 'sec-fetch-site': 'cross-site' },
  'another site, older browser': { origin: 'https://evil.example' },
  'another site with our name in its own, older browser': { origin: `http://${host}.evil.example` },
  'a sandbox, older browser': { origin: 'null' },
});

/** What forms and `fetch` can send without a preflight. */
const simpleTypes = [
  'text/plain',
  'text/plain; charset=application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
] as const;

const marked = { 'content-type': 'application/json', 'x-vitrine-request': '1' };
const keys = '/api/embed/keys';

const requestsOf = (host: string): readonly ForeignRequest[] => {
  const requests: ForeignRequest[] = [];
  for (const [from, origin] of Object.entries(originsOf(host))) {
    for (const type of simpleTypes)
      requests.push({
        name: `${type} from ${from}`,
        path: keys,
        method: 'POST',
        headers: { ...origin, 'content-type': type },
      });
    requests.push({
      name: `JSON from ${from}`,
      path: keys,
      method: 'POST',
      headers: { ...origin, ...marked },
    });
    requests.push({ name: `GET from ${from}`, path: `${keys}?itemId=1042`, method: 'GET', headers: origin });
    requests.push({
      name: `a stream from ${from}`,
      path: '/api/embed/actions',
      method: 'GET',
      headers: origin,
    });
  }
  // Old browsers send no origin with a form, and no browser sends one with an image.
  requests.push({
    name: 'a form without an origin',
    path: keys,
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
  });
  requests.push({
    name: 'a picture without an origin',
    path: `${keys}?itemId=1042`,
    method: 'GET',
    headers: {},
  });
  return requests;
};

const cookie = 'session=north';
const body = JSON.stringify({ itemId: 1042 });

/** Whether a browser would send a request with custom headers: only if the host allows it (CORS). */
const isGranted = async (url: string, { path, method, headers }: ForeignRequest): Promise<boolean> => {
  const answer = await fetch(`${url}${path}`, {
    method: 'OPTIONS',
    headers: {
      origin: headers['origin'] ?? 'null',
      'access-control-request-method': method,
      'access-control-request-headers': 'content-type,x-vitrine-request',
    },
  });
  await answer.arrayBuffer();
  const grants = (answer.headers.get('access-control-allow-headers') ?? '').toLowerCase();
  return (
    answer.ok &&
    answer.headers.get('access-control-allow-origin') === headers['origin'] &&
    answer.headers.get('access-control-allow-credentials') === 'true' &&
    grants.includes('x-vitrine-request')
  );
};

const statusOf = async (
  url: string,
  { path, method, headers }: Omit<ForeignRequest, 'name'>,
): Promise<number> => {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, cookie },
    ...(method === 'POST' && { body }),
  });
  await answer.arrayBuffer();
  return answer.status;
};

/** Sends every request that a page of another site can cause in the browser of a signed-in viewer. */
export const runCrossSiteScenario = async (url: string): Promise<CrossSiteFindings> => {
  const served: string[] = [];
  let sent = 0;
  const own = { origin: url, 'sec-fetch-site': 'same-origin', ...marked };
  if ((await statusOf(url, { path: keys, method: 'POST', headers: own })) !== 200)
    throw new Error('The host serves not even its own page, so nothing can be learned from it.');
  for (const request of requestsOf(new URL(url).host)) {
    if (request.headers['x-vitrine-request'] !== undefined && !(await isGranted(url, request))) continue;
    sent += 1;
    if ((await statusOf(url, request)) === 200) served.push(request.name);
  }
  return { sent, served };
};
