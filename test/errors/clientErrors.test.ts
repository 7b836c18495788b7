import { readFileSync } from 'node:fs';
import { createSecureServer, type SecureServerOptions } from 'node:http2';
import { runInNewContext } from 'node:vm';
import { type Adapt, createPortalClient, isPortalError, PortalError } from '@vitrine/portal-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenOn } from '../support/listenOn.ts';
import { certificateKeyPath, certificatePath, trust } from '../support/tlsPortal.ts';
import { type Reply, serve } from '../sync/support/serve.ts';

const start = async (reply: Reply) => {
  const service = await serve(() => reply);
  const client = createPortalClient({
    baseUrl: service.baseUrl,
    apiKey: 'test-api-key-0123456789',
    maxRetries: 0,
  });
  onTestFinished(() => client.close());
  return client;
};

const failure = async (reply: Reply) => {
  const client = await start(reply);
  return (await client.users.get(7).catch((error: unknown) => error)) as PortalError;
};

describe('the kind of an error', () => {
  it.each([
    [400, 'invalid'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [409, 'conflict'],
    [413, 'invalid'],
    [415, 'invalid'],
    [418, 'invalid'],
    [422, 'invalid'],
    [429, 'rate_limited'],
    [500, 'server'],
    [503, 'server'],
    [599, 'server'],
  ])('is, for status %i, %s, also with an empty body', async (status, kind) => {
    expect(await failure({ status })).toMatchObject({ kind, status, code: String(status) });
  });
});

describe('every error format', () => {
  const fields: PortalError['validationErrors'] = [{ field: 'email', message: 'is taken' }];
  it.each<[string, unknown, object]>([
    [
      'the error object',
      { error: { code: 'duplicate', message: 'Taken.', validationErrors: fields, requestId: 'r-1' } },
      { code: 'duplicate', validationErrors: fields, stats: { requestId: 'r-1' } },
    ],
    ['flat', { code: 'duplicate', message: 'Taken.' }, { code: 'duplicate' }],
    [
      'the envelope',
      {
        result: null,
        success: false,
        error: {
          code: 17,
          message: 'Taken.',
          details: null,
          validationErrors: [{ message: 'is taken', members: ['email'] }],
        },
        unAuthorizedRequest: false,
        __abp: true,
      },
      { code: '17', validationErrors: fields },
    ],
    [
      'problem+json',
      { type: 'about:blank', title: 'Conflict', detail: 'Taken.', status: 409, traceId: 't-1' },
      { code: '409', stats: { requestId: 't-1' } },
    ],
    [
      'problem+json of ASP.NET',
      { title: 'Taken.', status: 400, errors: { email: ['is taken'] } },
      { validationErrors: fields },
    ],
    ['statusCode and message', { statusCode: 409, message: 'Taken.' }, { code: '409' }],
    ['a string as error', { error: 'Taken.' }, {}],
  ])('is parsed: %s', async (_, body, expected) => {
    const error = await failure({ status: 409, body });
    expect(error).toMatchObject({ kind: 'conflict', ...expected });
    expect(error.message).toContain('"Taken"');
  });

  it.each([
    ['HTML', '<html><body>Bad gateway</body></html>'],
    ['text', 'upstream connect error'],
    ['an array', [1]],
    ['null', 'null'],
    ['invalid JSON', '{"error":'],
    ['an error that is a number', { error: 5 }],
  ])('yields only the status for %s', async (_, body) => {
    expect(await failure({ status: 502, body })).toMatchObject({ kind: 'server', status: 502, code: '502' });
  });

  it('treats HTTP 200 with success: false as an error', async () => {
    const body = { result: null, success: false, error: { code: 0, message: 'No such report.' } };
    const error = await failure({ body });
    expect(error).toMatchObject({ kind: 'business', status: 200 });
    expect(error.message).toContain('"No such report"');
  });

  it('treats success: false without an envelope as an error, but not as a field of a resource', async () => {
    const client = await start({ body: { success: false, message: 'The user is the last administrator.' } });
    await expect(client.users.delete(7)).rejects.toMatchObject({
      kind: 'business',
      message: expect.stringContaining('last administrator'),
    });
    const ofResource = await start({ body: { id: 7, email: 'a@acme.example', success: false } });
    expect(await ofResource.users.get(7)).toMatchObject({ id: '7', success: false });
  });

  it('treats an unauthorized envelope with HTTP 200 as unauthorized', async () => {
    expect(
      await failure({ body: { success: false, unAuthorizedRequest: true, error: null, result: null } }),
    ).toMatchObject({ kind: 'unauthorized' });
  });

  it('reads the resource bare and from the envelope', async () => {
    const user = { id: 7, email: 'a@acme.example' };
    for (const body of [user, { result: user, success: true, error: null }, { ...user, id: '7' }])
      expect(String((await (await start({ body })).users.get(7)).id)).toBe('7');
  });

  it('keeps the digits of a number beyond 2^53, which may be the ID of somebody else when rounded', async () => {
    const body = '{"id":9007199254740993,"email":"a@acme.example"}';
    expect(await (await start({ body })).users.get(7)).toMatchObject({ id: '9007199254740993' });
  });
});

describe('the advice about a refused request', () => {
  const page = { headers: { 'content-type': 'text/html' }, body: '<html>Blocked</html>' };
  it.each([
    [400, /Something in front of the portal rejects the request\. Check baseUrl/],
    [401, /A gateway in front of the portal requires a sign-in\. Check baseUrl/],
    [403, /A firewall or gateway in front of the portal blocks this machine\./],
    [422, /Something in front of the portal rejects the request\. Check baseUrl/],
    [200, /The response is a web page, such as a sign-in page, .* Check baseUrl\./],
  ])('names what is in front of the portal for a web page with %i', async (status, advice) => {
    expect((await failure({ status, ...page })).hint).toMatch(advice);
  });

  it('names baseUrl after a text that is not JSON', async () => {
    expect((await failure({ body: 'pong' })).hint).toMatch(/^Check baseUrl: the service there is not/);
  });

  it('names the sign-in page of the portal after a redirect to it, and baseUrl after another', async () => {
    const redirect = async (location: string) => (await failure({ status: 302, headers: { location } })).hint;
    expect(await redirect('/Account/Login')).toContain('The portal requires a sign-in');
    expect(await redirect('https://other.example/')).toMatch(/^Set baseUrl to the final address/);
  });

  it('names the fields in validationErrors only if there are some', async () => {
    const errors = { email: ['is taken'] };
    expect((await failure({ status: 400, body: { title: 'No.', errors } })).hint).toContain(
      'validationErrors',
    );
    expect((await failure({ status: 400, body: { title: 'No.' } })).hint).toBeUndefined();
    expect((await failure({ status: 418 })).hint).toBeUndefined();
  });

  it('names the limit for a web page with 429', async () => {
    expect((await failure({ status: 429, ...page })).hint).toMatch(
      /^The portal limits requests\. Wait a minute/,
    );
  });
});

describe('a response of an unknown shape', () => {
  const shown: readonly [string, Reply, string][] = [
    [
      'another name of the ID',
      { body: { user: { userId: 7, email: 'a@acme.example', tags: ['vip'], manager: null } } },
      '{ user }',
    ],
    ['an array', { body: [{ id: 7 }] }, 'an array'],
    ['an empty body', { status: 204 }, 'missing'],
    ['roles as objects', { body: { id: 7, roles: [{ name: 'Viewer' }] } }, '{ id, roles }'],
    [
      'many members',
      { body: Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`m${index}`, index])) },
      'm10, m11 }',
    ],
    ['a token as a name', { body: { ['Zq83nVb2Lw0x'.repeat(3)]: 1 } }, '{ *** }'],
  ];
  it.each(shown)('is shown by its names, and the error names adapt: %s', async (_, reply, shape) => {
    const error = await failure(reply);
    expect(error).toMatchObject({ kind: 'invalid_response', code: 'no_user' });
    expect(error.message).toContain(`${shape}. Check that baseUrl`);
    expect(error.message).toMatch(/with adapt\.$/);
    for (const value of ['vip', 'acme.example', 'secret', 'Viewer'])
      expect(error.message).not.toContain(value);
  });

  it('is shown for an error body too', async () => {
    const error = await failure({ status: 400, body: { fault: { text: 'Taken.' } } });
    expect(error).toMatchObject({ kind: 'invalid', code: '400' });
    expect(error.message).toContain('a body of an unknown shape: { fault }.');
  });

  it.each([
    [500, { fault: { faultstring: 'x' } }, '{ fault }'],
    [400, [{ reason: 'No.' }], 'an array'],
    [404, { fault: 1 }, '{ fault }'],
    [500, { success: false, errorMessage: 'No.' }, '{ success, errorMessage }'],
    [200, { result: null, success: false, error: { reason: 'No.' } }, '{ result, success, error }'],
  ])('is shown for a refused key too: %i %j', async (status, body, shape) => {
    const service = await serve(() => ({ status, body }));
    const { baseUrl } = service;
    const connection = { tenantUrl: baseUrl, apiBaseUrl: baseUrl, tenantId: 7, tenancyName: 'acme' };
    const client = createPortalClient({
      embedding: { ...connection, apiKey: 'test-api-key-0123456789', passPhrase: 'test-phrase' },
      maxRetries: 0,
    });
    onTestFinished(() => client.close());
    await expect(client.embeddedKeys.create({ itemId: 1, userId: 'u', lifetimeMs: 60_000 })).rejects.toThrow(
      `The portal responded with status ${status} and a body of an unknown shape: ${shape}.`,
    );
  });

  it('after a change says that it may have been made', async () => {
    const client = await start({ status: 202 });
    const input = { type: 'UserPass', email: 'a@acme.example', firstName: 'A', lastName: 'B' };
    await expect(client.users.create(input)).rejects.toThrow(
      /The change may have been made.*The body is missing/,
    );
  });
});

describe('adapt', () => {
  const adapted = async (reply: Reply, adapt: Adapt) => {
    const service = await serve(() => reply);
    const client = createPortalClient({ baseUrl: service.baseUrl, apiKey: 'test-api-key-0123456789', adapt });
    onTestFinished(() => client.close());
    return client;
  };
  const failed = async (work: Promise<unknown>) => work.catch((error: unknown) => error);

  it('receives method, path, status and body of each response, and returns the body to read', async () => {
    const seen: Parameters<Adapt>[0][] = [];
    const client = await adapted({ body: { user: { id: 7 } } }, (response) => {
      seen.push(response);
      return (response.body as { user: unknown }).user;
    });
    expect(await client.users.get(7)).toMatchObject({ id: '7' });
    expect(seen).toEqual([{ method: 'GET', path: '/v1/users/7', status: 200, body: { user: { id: 7 } } }]);
  });

  it('receives a body that is not JSON as text, and an empty one as undefined', async () => {
    const asText = await adapted({ body: '<user id="7"/>' }, ({ body }) => ({
      id: /\d+/.exec(String(body))?.[0],
    }));
    expect(await asText.users.get(7)).toMatchObject({ id: '7' });
    const empty = await adapted({ status: 204 }, ({ body }) => (body === undefined ? { id: 9 } : body));
    expect(await empty.users.get(9)).toMatchObject({ id: '9' });
  });

  it('changes error bodies too', async () => {
    const client = await adapted({ status: 409, body: { fault: { text: 'Taken.' } } }, ({ body }) => ({
      message: (body as { fault: { text: string } }).fault.text,
    }));
    expect(await failed(client.users.get(7))).toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('"Taken"'),
    });
  });

  const keyOf = async (adapt?: Adapt, body: object = { data: { secret: 'abc' } }) => {
    const { baseUrl } = await serve(() => ({ body }));
    const connection = { tenantUrl: baseUrl, apiBaseUrl: baseUrl, tenantId: 7, tenancyName: 'acme' };
    const embedding = { ...connection, apiKey: 'test-api-key-0123456789', passPhrase: 'test-phrase' };
    const client = createPortalClient({ embedding, adapt });
    onTestFinished(() => client.close());
    return client.embeddedKeys.create({ itemId: 1, userId: 'u', lifetimeMs: 60_000 });
  };

  it('returns a key as { key }, bare or in an envelope', async () => {
    const secretOf = ({ body }: Parameters<Adapt>[0]) => ({
      key: (body as { data: { secret: string } }).data.secret,
    });
    expect(await keyOf(secretOf)).toMatchObject({ key: 'abc' });
    const wrapped: Adapt = (response) => ({ success: true, result: secretOf(response) });
    expect(await keyOf(wrapped)).toMatchObject({ key: 'abc' });
  });

  it('is named, with the shape that was seen, by the error of a key that cannot be read', async () => {
    for (const adapt of [undefined, ({ body }: { body: unknown }) => body])
      expect(await failed(keyOf(adapt))).toMatchObject({
        code: 'no_key',
        message: expect.stringMatching(/: \{ data \}\.$/),
      });
  });

  it('is not needed for a bare key', async () => {
    expect(await keyOf(undefined, { key: 'abc' })).toMatchObject({ key: 'abc' });
    expect(await failed(keyOf(undefined, { success: 'no', key: 'abc' }))).toMatchObject({ code: 'no_key' });
  });

  it('that fails is named, without its error', async () => {
    const client = await adapted({ body: { id: 7 } }, () => {
      throw new Error('secret-Zq83nVb2Lw0x');
    });
    const error = await failed(client.users.get(7));
    expect(error).toMatchObject({ kind: 'config', code: 'adapt_failed' });
    expect(String(error)).not.toContain('Zq83nVb2Lw0x');
  });

  it('must be a function', () => {
    const options = { baseUrl: 'https://api.portal.example', apiKey: 'key', adapt: {} as never };
    expect(() => createPortalClient(options)).toThrow('adapt');
  });
});

describe('the advice', () => {
  const overTls = async (options: SecureServerOptions) => {
    const server = createSecureServer({ key: readFileSync(certificateKeyPath), ...options });
    onTestFinished(() => void server.close());
    const baseUrl = (await listenOn(server)).replace(/^.*:/, 'https://localhost:');
    trust('authority');
    const client = createPortalClient({ baseUrl, apiKey: 'test-api-key-0123456789', maxRetries: 0 });
    onTestFinished(() => client.close());
    return (await client.users.get(7).catch((error: unknown) => error)) as PortalError;
  };
  const portalCertificate = () => readFileSync(certificatePath('portal'));

  it.each<readonly [string, () => Promise<PortalError>, RegExp]>([
    [
      'a server that offers only HTTP/2',
      () => overTls({ cert: portalCertificate() }),
      /^The service at (\S+) offers only HTTP\/2/,
    ],
    [
      'an untrusted certificate',
      () => overTls({ cert: readFileSync(certificatePath('self-signed')), allowHTTP1: true }),
      /^The TLS certificate at (\S+) is not trusted/,
    ],
    [
      'an expired certificate',
      () => overTls({ cert: readFileSync(certificatePath('expired')), allowHTTP1: true }),
      /^The TLS certificate at (\S+) has expired/,
    ],
    [
      'headers over 16 KB',
      () => failure({ headers: { 'x-large': Array.from({ length: 5 }, () => 'c'.repeat(4000)) }, body: {} }),
      /^The headers of the response are larger than 16 KB/,
    ],
  ])('is that of a call for a key, with the address of this API: %s', async (_title, fail, advice) => {
    const error = await fail();
    expect(error.hint).toMatch(advice);
    expect(error.message).toContain(error.hint);
    const shown = error.explain('flag', { baseUrl: '--base-url' }).check;
    expect(shown).toMatch(advice);
    expect(advice.exec(shown)?.[1] ?? '--base-url').toBe('--base-url');
    expect(shown).not.toContain('API_BASE_URL');
  });

  it('after a refused connection says that nothing listens there', async () => {
    const client = createPortalClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'key', maxRetries: 0 });
    onTestFinished(() => client.close());
    await expect(client.users.get(7)).rejects.toThrow('Nothing listens at baseUrl.');
  });

  it('after a conflict does not guess its cause', async () => {
    const { message } = await failure({ status: 409, body: { message: 'The unit has no group.' } });
    expect(message).toMatch(
      /"The unit has no group"\. The resource already exists, or its state does not allow this/,
    );
  });

  it('after a 404 names the ID and baseUrl', async () => {
    const { message } = await failure({ status: 404, body: { message: 'There is no such user.' } });
    expect(message).toMatch(/Check the ID, the tenant and baseUrl\.$/);
  });

  it('for a server without TLS says to compare the scheme', async () => {
    const plain = await serve(() => ({ body: {} }));
    await using client = createPortalClient({
      baseUrl: plain.baseUrl.replace('http:', 'https:'),
      apiKey: 'key',
      maxRetries: 0,
    });
    await expect(client.users.get(1)).rejects.toMatchObject({
      kind: 'network',
      message: expect.stringMatching(
        /The service at baseUrl is not using TLS\. Compare its scheme and port: https or http\.$/,
      ),
    });
  });

  it('for an empty ID does not mention a path', async () => {
    const client = await start({ body: {} });
    await expect(client.users.get('')).rejects.toThrow(
      'The ID is empty. Pass the ID that the portal returned.',
    );
    await expect(client.users.get('..')).rejects.toThrow(
      'The ID is "..", which no resource has. Pass the ID',
    );
  });
});

describe('isPortalError', () => {
  it('recognizes an error from another copy of the package', () => {
    const foreign = runInNewContext(
      `const error = new Error('x'); Object.defineProperty(error, Symbol.for('@vitrine/portal-client/PortalError'), { value: true }); error`,
    );
    expect(foreign).not.toBeInstanceOf(PortalError);
    expect(isPortalError(foreign)).toBe(true);
  });

  it.each([undefined, null, 5, 'PortalError', new Error('x'), { name: 'PortalError' }])(
    'rejects %s',
    (value) => {
      expect(isPortalError(value)).toBe(false);
    },
  );
});
