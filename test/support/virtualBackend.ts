import { type Problem, requestMarkerHeader } from '@vitrine/contract';

/** One request that reached the backend. */
export interface SeenRequest {
  readonly url: string;
  readonly body: unknown;
  readonly headers: Headers;
  readonly credentials: RequestCredentials | undefined;
}

/** A problem document in the format of the backend. */
export const problem = (status: number, code: string, more: Partial<Problem> = {}): Response =>
  Response.json(
    {
      type: `https://vitrine.example/problems/${code}`,
      title: code,
      status,
      detail: `Detail of ${code}.`,
      code,
      ...more,
    },
    { status, headers: { 'content-type': 'application/problem+json' } },
  );

/** A key endpoint without a network, for the `fetch` of a provider. It issues key 1, key 2, … for an hour each. */
export const createVirtualBackend = (tenantUrl = 'https://acme.example') => {
  const requests: SeenRequest[] = [];
  let count = 0;
  const backend = {
    requests,
    /** The lifetime of keys from now on. */
    lifetimeMs: (60 * 60_000) as unknown,
    /** The response instead of a key, until it is removed. */
    respond: undefined as ((request: SeenRequest) => Response | Promise<Response>) | undefined,
    fetch: async (...[input, init]: Parameters<typeof fetch>): Promise<Response> => {
      const request: SeenRequest = {
        url: input instanceof Request ? input.url : String(input),
        body: JSON.parse(typeof init?.body === 'string' ? init.body : 'null'),
        headers: new Headers(init?.headers),
        credentials: init?.credentials,
      };
      requests.push(request);
      if (request.headers.get(requestMarkerHeader) === null) return problem(403, 'cross_site_request');
      if (backend.respond) return backend.respond(request);
      count += 1;
      const { itemId } = request.body as { itemId: number };
      const { lifetimeMs } = backend;
      const expiresAt = '2026-01-01T01:00:00Z';
      return Response.json({ itemId, key: `key+${count}`, tenantUrl, lifetimeMs, expiresAt });
    },
  };
  return backend;
};
