import { createContext, runChecks } from '@vitrine/conformance';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Fields, isFields } from '../../../src/conformance/lib/readers.ts';
import { sharedPortal } from '../support/sharedPortal.ts';
import {
  authorizing,
  changing,
  changingRow,
  changingRows,
  correcting,
  isTo,
  made,
  pretending,
  withJson,
} from './breakages.ts';
import { checksOf, detectsServicesThat, otherThan } from './detects.ts';
import { type Breakage, startBrokenService } from './startBrokenService.ts';

describe('the checks change and remove no user that they did not create in a service that', () => {
  const started = sharedPortal();
  const usersOf = async (tenancyName: string) => {
    const lists = `${started().portal.url}/_control/tenants/${tenancyName}/lists`;
    return (await fetch(`${lists}/users?pageSize=200`)).json();
  };

  it.each<[string, string, string, Breakage]>([
    [
      'removes the users of another tenant',
      '1 a user of another tenant',
      'globex',
      authorizing('DELETE /v1/users/*', ({ secondTenant }) => ({
        authorization: `Bearer ${secondTenant?.apiKey}`,
      })),
    ],
    [
      'answers a creation with another user',
      '4.1 PATCH',
      'acme',
      pretending('POST /v1/users', () => made(201, { id: 1, email: 'administrator@acme.example' })),
    ],
    [
      'answers a creation with another user',
      '4.1 DELETE',
      'acme',
      pretending('POST /v1/users', () => made(201, { id: 1, email: 'administrator@acme.example' })),
    ],
  ])('%s: %s', async (_name, beginning, tenancyName, breakage) => {
    const before = await usersOf(tenancyName);
    const service = await startBrokenService(started().target, breakage);
    onTestFinished(service.close);
    expect(await otherThan('differs', service.target, checksOf([beginning]))).toEqual([]);
    expect(await usersOf(tenancyName)).toEqual(before);
  });
});

describe('a check of a list', () => {
  const started = sharedPortal();

  it('names every field that differs, wherever it is in the list, and once', async () => {
    const service = await startBrokenService(
      started().target,
      changingRows('GET /v1/users', (users) => [
        { ...users[0], email: 7 },
        { ...users[1], email: 8, roles: 'Readers' },
        { ...users[2], type: 'Pigeon' },
      ]),
    );
    onTestFinished(service.close);
    const [result] = await runChecks(
      checksOf(['4.1 GET /v1/users returns']),
      createContext(service.target, 'all'),
    );
    expect(result?.finding).toEqual({
      outcome: 'differs',
      expected: expect.stringMatching(/^type: .*; email: .*; roles: [^;]*$/),
      seen: 'Pigeon; 7; Readers',
    });
  });
});

describe('the checks detect a service that grants access to the wrong callers, or', () => {
  detectsServicesThat([
    {
      name: 'removes no user',
      noticedBy: ['4.1 DELETE /v1/users/{userId}'],
      breakage: pretending('DELETE /v1/users/*', () => made(204)),
    },
    {
      name: 'changes no user',
      noticedBy: ['4.1 PATCH /v1/users/{userId}'],
      breakage: {
        request: (request) =>
          isTo(request, 'PATCH /v1/users/*') ? { ...request, method: 'GET', body: undefined } : request,
      },
    },
    {
      name: 'returns the updated user without storing the change',
      noticedBy: ['4.1 PATCH /v1/users/{userId}'],
      breakage: {
        request: (request) => {
          const { body: change = '', headers, url } = request;
          return isTo(request, 'PATCH /v1/users/*')
            ? { method: 'GET', url, headers: { ...headers, 'x-broken': change }, body: undefined }
            : request;
        },
        answer: (answer, { headers: { 'x-broken': change } }) =>
          change !== undefined && isFields(answer.json)
            ? withJson(answer, { ...answer.json, ...(JSON.parse(change) as Fields) })
            : answer,
      },
    },
    {
      name: 'resets fields that a change does not name',
      noticedBy: ['4.1 PATCH /v1/users/{userId}'],
      breakage: correcting('PATCH /v1/users/*', (body) => ({ lastName: 'Reset', ...body })),
    },
    {
      name: 'returns the updated user with a field of another type',
      noticedBy: ['4.1 PATCH /v1/users/{userId}'],
      breakage: changing('PATCH /v1/users/*', (user) => ({ ...user, email: 7 })),
    },
    {
      name: 'returns the updated user with another value in a field that the change does not name',
      noticedBy: ['4.1 PATCH /v1/users/{userId}'],
      breakage: changing('PATCH /v1/users/*', (user) => ({ ...user, type: 'DirectoryAD' })),
    },
    {
      name: 'forgets an earlier change',
      noticedBy: ['4.1 PATCH /v1/users/{userId}'],
      breakage: correcting('PATCH /v1/users/*', (body) => ({ firstName: 'Conformance', ...body })),
    },
    {
      name: 'returns a created unit with a field of another type',
      noticedBy: ['4.3 POST /v1/organization-units stores'],
      breakage: changing('POST /v1/organization-units', (unit) => ({
        ...unit,
        directoryGroupId: unit['directoryGroupId'] ?? 7,
      })),
    },
    {
      name: 'returns a created user without its identifier',
      noticedBy: ['4.1 POST /v1/users stores'],
      breakage: changing('POST /v1/users', ({ id: _id, ...user }) => user),
    },
    {
      name: 'returns a created user with other roles than were sent',
      noticedBy: ['4.1 POST /v1/users stores'],
      breakage: changing('POST /v1/users', (user) => ({ ...user, roles: [] })),
    },
    {
      name: 'returns text instead of the created user',
      noticedBy: ['4.1 POST /v1/users stores'],
      breakage: changing('POST /v1/users', () => 'created'),
    },
    {
      name: 'responds with 500 when a user is created',
      noticedBy: ['4.1 POST /v1/users stores'],
      breakage: pretending('POST /v1/users', () =>
        made(500, { error: { code: 'internal', message: 'No.' } }),
      ),
    },
    {
      name: 'accepts any identity kind',
      noticedBy: ['4.1 POST /v1/users stores'],
      breakage: correcting('POST /v1/users', (body) => ({ ...body, type: 'UserPass' })),
    },
    {
      name: 'lists users of an unknown identity kind',
      noticedBy: ['4.1 GET /v1/users returns'],
      breakage: changingRow('GET /v1/users', { type: 'Pigeon' }),
    },
    {
      name: 'lists the roles of users as one string',
      noticedBy: ['4.1 GET /v1/users returns'],
      breakage: changingRow('GET /v1/users', { roles: 'Viewer' }),
    },
    {
      name: 'returns users as a bare list without a total',
      noticedBy: ['4.1 GET /v1/users returns'],
      breakage: changing('GET /v1/users', (body) => body['items']),
    },
    {
      name: 'counts more users than its pages hold',
      noticedBy: ['4.1 GET /v1/users pages add up'],
      breakage: changing('GET /v1/users', (body) => ({
        ...body,
        totalCount: 2 * (body['items'] as unknown[]).length,
      })),
    },
    {
      name: 'returns only the first role, with a larger total',
      noticedBy: ['4.2 GET /v1/roles'],
      breakage: changingRows('GET /v1/roles', (rows) => rows.slice(0, 1)),
    },
    {
      name: 'stores no role',
      noticedBy: ['4.2 POST /v1/roles'],
      breakage: pretending('POST /v1/roles', ({ body = '{}' }) =>
        made(201, { id: 1, ...(JSON.parse(body) as Fields) }),
      ),
    },
    {
      name: 'accepts any role type',
      noticedBy: ['4.2 POST /v1/roles'],
      breakage: correcting('POST /v1/roles', (body) => ({ ...body, type: 'Report' })),
    },
    {
      name: 'lists units whose parents do not exist',
      noticedBy: ['4.3 GET /v1/organization-units'],
      breakage: changingRows('GET /v1/organization-units', (rows) =>
        rows.map((row, index) => ({ ...row, parentId: `gone-${index}` })),
      ),
    },
    {
      name: 'lists units that are their own parents',
      noticedBy: ['4.3 GET /v1/organization-units'],
      breakage: changingRows('GET /v1/organization-units', (rows) =>
        rows.map((row) => ({ ...row, parentId: row['id'] })),
      ),
    },
    {
      name: 'forgets the parent of a created unit',
      noticedBy: ['4.3 POST /v1/organization-units stores'],
      breakage: correcting('POST /v1/organization-units', (body) => ({ ...body, parentId: 'root' })),
    },
    {
      name: 'synchronizes nothing',
      noticedBy: ['4.3 POST /v1/organization-units/{ouId}/sync adds'],
      breakage: pretending('POST /v1/organization-units/*/sync', () => made(202, { status: 'completed' })),
    },
    {
      name: 'lists items whose workspaceId is not a GUID',
      noticedBy: ['4.4 GET /v1/items'],
      breakage: changingRow('GET /v1/items', { workspaceId: 'north' }),
    },
    {
      name: 'lists related content without hasRls',
      noticedBy: ['4.4 GET /v1/items'],
      breakage: changingRow('GET /v1/items', { additionalData: [{ type: 'semanticModel', id: 'x' }] }),
    },
    {
      name: 'imports no item',
      noticedBy: ['4.4 POST /v1/items stores'],
      breakage: pretending('POST /v1/items', () => made(201, { id: 9 })),
    },
    {
      name: 'returns lists as HTML',
      noticedBy: ['4.1 GET /v1/users returns', '4.4 GET /v1/links'],
      breakage: { answer: (answer) => ({ ...answer, headers: { 'content-type': 'text/html' } }) },
    },
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
  ]);
});
