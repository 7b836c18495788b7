import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { createPortalClient, isPortalError, PortalError } from '@vitrine/portal-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Handler, serve } from './support/serve.ts';

const manifest = JSON.parse(readFileSync('src/portal-client/package.json', 'utf8'));
const apiKey = 'test-api-key-0123456789';

const start = async (handler: Handler, options = {}) => {
  const service = await serve(handler);
  const client = createPortalClient({ baseUrl: service.baseUrl, apiKey, maxRetries: 0, ...options });
  onTestFinished(() => client.close());
  return { ...service, client };
};

const ada = {
  id: 7,
  type: 'UserPass',
  email: 'north.manager@acme.example',
  firstName: 'Regional manager',
  lastName: 'North',
  roles: ['Managers'],
  organizationUnits: ['ou-1'],
};

describe('users', () => {
  it('sends the API key as a Bearer token and accepts JSON', async () => {
    const { client, requests } = await start(() => ({ body: ada }));
    await client.users.get(7);
    expect(requests[0]).toMatchObject({ method: 'GET', url: '/v1/users/7' });
    expect(requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${apiKey}`,
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': `vitrine-portal-client/${manifest.version}`,
    });
  });

  it('encodes an identifier as one path segment', async () => {
    const { client, requests } = await start(() => ({ body: ada }));
    await client.users.get('a/b?c#d é');
    expect(requests[0]?.url).toBe('/v1/users/a%2Fb%3Fc%23d%20%C3%A9');
  });

  it('shows no secret that was passed as an identifier', async () => {
    const { client, requests } = await start(() => ({ status: 404 }));
    const { users, items } = client;
    for (const call of [users.get, users.delete, items.find]) {
      const error: unknown = await call(apiKey).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(PortalError);
      expect(inspect(error) + JSON.stringify(error)).not.toContain(apiKey);
    }
    expect(requests[0]?.url).toBe(`/v1/users/${apiKey}`);
  });

  it.each([Number.NaN, 0, -5])('rejects the deadline %s of a call', async (timeoutMs) => {
    const { client } = await start(() => ({ body: ada }));
    const call = client.users.get(7, { timeoutMs });
    await expect(call).rejects.toMatchObject({ kind: 'config', code: 'bad_option_timeoutMs' });
  });

  it.each(['', '.', '..'])('rejects the identifier "%s", which would change the path', async (userId) => {
    const { client, requests } = await start(() => ({ body: ada }));
    await expect(client.users.delete(userId)).rejects.toBeInstanceOf(PortalError);
    expect(requests).toEqual([]);
  });

  it('keeps unknown fields and unknown types', async () => {
    const { client } = await start(() => ({ body: { ...ada, type: 'Passkey', costCenter: { code: 12 } } }));
    const user = await client.users.get(7);
    expect(user.type).toBe('Passkey');
    expect(user).toMatchObject({ costCenter: { code: 12 } });
    // @ts-expect-error A misspelled field does not compile.
    expect(user.firstNmae).toBeUndefined();
  });

  it('reads a number as an identifier, and tells a list that is absent from one that is empty', async () => {
    const { client } = await start(() => ({ body: { id: 7, email: 'a@acme.example', roles: [] } }));
    const user = await client.users.get('7');
    expect(user).toMatchObject({ id: '7', firstName: '', roles: [] });
    expect(user.organizationUnits).toBeUndefined();
  });

  it('reads no user from a row that has another identifier than its own', async () => {
    const { client } = await start(() => ({ body: { ...ada, id: undefined, guid: 'text' } }));
    await expect(client.users.get(7)).rejects.toMatchObject({ kind: 'invalid_response', code: 'no_user' });
    await expect(Array.fromAsync(client.organizationUnits.list())).rejects.toBeInstanceOf(PortalError);
  });

  it('adds the headers of a call to the headers of the client', async () => {
    const { client, requests } = await start(() => ({ body: ada }), { headers: { 'x-team': 'hr' } });
    await client.users.get(7, { headers: { 'X-Trace': '17' } });
    expect(requests[0]?.headers).toMatchObject({ 'x-team': 'hr', 'x-trace': '17' });
    await expect(client.users.get(7, { headers: { Authorization: 'x' } })).rejects.toMatchObject({
      code: 'bad_option_headers',
    });
  });

  it('returns headers, status, request ID and attempts with the data when requested, from one request', async () => {
    const { client, requests } = await start(() => ({ body: ada, headers: { 'X-Request-Id': 'req-1' } }));
    const response = await client.users.get(7).withResponse();
    expect(response).toMatchObject({
      data: { id: '7' },
      stats: { status: 200, requestId: 'req-1', attempts: 1 },
    });
    expect(response.headers['content-type']).toBe('application/json');
    expect(requests).toHaveLength(1);
  });

  it('leaves no unhandled rejection when only the response is awaited', async () => {
    const { client } = await start(() => ({ status: 404 }));
    await expect(client.users.get(7).withResponse()).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('creates with the fields of the interface and returns the stored user', async () => {
    const { client, requests } = await start(({ body }) => ({ status: 201, body: { id: 8, ...body } }));
    const { id: _, ...input } = ada;
    expect(await client.users.create(input)).toEqual({ ...input, id: '8' });
    expect(requests[0]).toMatchObject({ method: 'POST', url: '/v1/users', body: input });
    expect(requests[0]?.headers['content-type']).toBe('application/json');
  });

  it('updates with PATCH and only the given fields', async () => {
    const { client, requests } = await start(({ body }) => ({ body: { ...ada, ...body } }));
    expect(await client.users.update(7, { roles: [] })).toMatchObject({ roles: [] });
    expect(requests[0]).toMatchObject({ method: 'PATCH', url: '/v1/users/7', body: { roles: [] } });
  });

  it('removes with DELETE and accepts an empty response', async () => {
    const { client, requests } = await start(() => ({ status: 204 }));
    expect(await client.users.delete(7)).toBeUndefined();
    expect(requests[0]).toMatchObject({ method: 'DELETE', url: '/v1/users/7' });
  });

  it('rejects with one error class that says what happened, what was received and what to do', async () => {
    const { client } = await start(() => ({
      status: 400,
      headers: { 'x-request-id': 'req-9' },
      body: {
        error: {
          code: 'validation_failed',
          message: 'The user is not valid.',
          validationErrors: [{ field: 'email', message: 'is not an address' }],
        },
      },
    }));
    const error = await client.users.create(ada).catch((thrown: unknown) => thrown);
    expect(isPortalError(error)).toBe(true);
    expect(error).toMatchObject({
      name: 'PortalError',
      kind: 'invalid',
      code: 'validation_failed',
      status: 400,
      stats: { method: 'POST', path: '/v1/users', requestId: 'req-9', attempts: 1 },
      validationErrors: [{ field: 'email', message: 'is not an address' }],
      message:
        'POST /v1/users: The portal refused the request (status 400): "The user is not valid". Correct the fields named in validationErrors.',
    });
  });
});
