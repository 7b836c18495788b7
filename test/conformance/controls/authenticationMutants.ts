import { authorizing } from './breakages.ts';
import type { Mutant } from './mutant.ts';

/** Services that grant access to the wrong callers. */
export const authenticationMutants: readonly Mutant[] = [
  {
    name: 'answers administration without a key',
    noticedBy: ['5 GET /v1/users', '5 GET /v1/links', '4.2 POST /v1/roles'],
    breakage: {
      request: (request, { apiKey }) => ({
        ...request,
        headers: { ...request.headers, authorization: `Bearer ${apiKey}` },
      }),
    },
  },
  {
    name: 'shows one tenant the rows of the other',
    noticedBy: ['1 tenants are isolated in GET /v1/users', '1 tenants are isolated in GET /v1/items'],
    breakage: authorizing('GET /v1/*', ({ apiKey, secondTenant }, { headers }) =>
      headers['authorization'] === `Bearer ${secondTenant?.apiKey ?? ''}`
        ? { authorization: `Bearer ${apiKey}` }
        : {},
    ),
  },
  {
    name: 'takes the API key under the scheme ApiKey too',
    noticedBy: ['5 GET /v1/users', '5 GET /v1/links'],
    breakage: authorizing('GET /v1/*', (_target, { headers }) => ({
      authorization: (headers['authorization'] ?? '').replace(/^ApiKey /, 'Bearer '),
    })),
  },
];
