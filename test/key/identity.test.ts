import { createFetchHandler, type Logger, type VitrineOptions } from '@vitrine/server';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { keyRequest } from '../support/keyRequest.ts';
import { recordLog } from '../support/recordLog.ts';
import { connectionTo, type StandInPortal, startStandInPortal } from '../support/standInPortal.ts';

let portal: StandInPortal;
beforeEach(async () => {
  portal = await startStandInPortal();
});
afterEach(() => portal.close());

const ask = async (options: Partial<VitrineOptions<Request>>) => {
  const logger = recordLog();
  const handler = createFetchHandler({
    portal: connectionTo(portal.url),
    viewer: () => ({ userId: 'north.manager@acme.example' }),
    canView: () => true,
    logger,
    ...options,
  });
  onTestFinished(() => handler.close());
  const response = await handler(keyRequest(1042));
  return { status: response.status, problem: await response.json(), lines: logger.lines };
};

const roles = (count: number, length = 4) =>
  Array.from({ length: count }, (_, n) => String(n).padStart(length, 'r'));

/** A handler without viewers, so that only the request format determines its response. */
const createClosedHandler = (logger: Logger | false = false) => {
  const handler = createFetchHandler({
    portal: connectionTo(portal.url),
    viewer: () => null,
    canView: () => false,
    logger,
  });
  onTestFinished(() => handler.close());
  return handler;
};

describe('viewer()', () => {
  it.each([null, undefined, false, 0, ''] as const)(
    'is treated as signed out when it returns %j',
    async (nobody) => {
      expect(await ask({ viewer: () => nobody })).toMatchObject({
        status: 401,
        problem: { code: 'signed_out' },
        lines: [{ level: 'debug' }],
      });
      expect(await ask({ viewer: async () => nobody })).toMatchObject({ status: 401 });
    },
  );

  it('may return a promise', async () => {
    expect(await ask({ viewer: async () => ({ userId: 'x@acme.example' }) })).toMatchObject({ status: 200 });
  });

  it('may return the same object for every request of a viewer, but not for two viewers', async () => {
    const shared = { userId: '' };
    const handler = createFetchHandler({
      portal: connectionTo(portal.url),
      viewer: async (request) => {
        shared.userId = request.headers.get('x-user') ?? '';
        return shared;
      },
      canView: () => true,
      logger: false,
    });
    onTestFinished(() => handler.close());
    const askAs = async (user: string) => {
      const request = keyRequest(1042);
      request.headers.set('x-user', user);
      return (await handler(request)).status;
    };
    expect([await askAs('ann'), await askAs('ann')]).toEqual([200, 200]);
    // From now on, nobody can tell whose object it is.
    expect([await askAs('bob'), await askAs('ann')]).toEqual([500, 500]);
  });

  it('issues a key without roles to a viewer without roles', async () => {
    expect(await ask({ viewer: () => ({ userId: 'x@acme.example' }) })).toMatchObject({ status: 200 });
    expect(JSON.parse(portal.calls[0]?.body ?? '').value.roleNames ?? []).toEqual([]);
  });

  it('may return a thenable, as query builders do', async () => {
    const query = new Proxy(Promise.resolve({ userId: 'x@acme.example' }), {
      has: (_, name) => name === 'then',
      get: (promise, name) => (name === 'then' ? promise.then.bind(promise) : undefined),
    });
    const viewer = () => query;
    expect(await ask({ viewer })).toMatchObject({ status: 200 });
  });

  it.each([
    ['a user ID that is a number', { userId: 42 }],
    ['no user ID', {}],
    ['null instead of roles', { userId: 'a', roleNames: null }],
    ['a control character', { userId: 'a\nb' }],
  ])('opens no action stream with %s, and the operator is told why', async (_, viewer) => {
    let opened = 0;
    const logger = recordLog();
    const handler = createFetchHandler({
      portal: connectionTo(portal.url),
      // A plain JavaScript host may pass anything.
      viewer: () => viewer as never,
      canView: () => true,
      actions: {
        open: async () => {
          opened += 1;
          return { status: 200, headers: {}, body: null };
        },
      },
      logger,
    });
    onTestFinished(() => handler.close());
    const response = await handler(new Request('https://host.example/api/embed/actions'));
    expect([response.status, opened]).toEqual([500, 0]);
    expect(logger.lines).toMatchObject([
      { level: 'error', fields: { problem: expect.stringContaining('viewer() returned') } },
    ]);
  });

  it('causes a 500 when it throws, and the error reaches neither browser nor log unmasked', async () => {
    const secret = connectionTo('').apiKey;
    const { status, problem, lines } = await ask({
      viewer: () => {
        throw new TypeError(`session store at redis://u:p@host failed ${secret}`);
      },
    });
    expect([status, problem.code]).toEqual([500, 'internal_error']);
    expect(JSON.stringify([problem, lines])).not.toContain('u:p');
    expect(JSON.stringify(problem)).not.toContain('redis');
    expect(JSON.stringify([problem, lines])).not.toContain(secret);
    expect(lines[0]).toMatchObject({ level: 'error', fields: { requestId: problem.requestId } });
  });

  it('is logged with the stack frame when it throws', async () => {
    const { lines } = await ask({
      // A plain JavaScript host reads what a session lacks.
      viewer: (request) => ({ userId: (request as unknown as { user: { email: string } }).user.email }),
    });
    expect(lines[0]?.fields).toMatchObject({
      problem: expect.stringContaining('viewer() threw TypeError: Cannot read properties of undefined'),
      stack: expect.stringMatching(/identity\.test\.ts:\d+:\d+/),
    });
  });

  it('is logged without a stack frame when the error has none, or only mentions one in its message', async () => {
    const thrown = [
      ['a text', 'viewer() threw something that is not an Error (string)'],
      [
        Object.assign(new Error('key at secret.js:1:1'), { stack: undefined }),
        'viewer() threw Error: key at',
      ],
    ] as const;
    for (const [error, problem] of thrown) {
      const { lines } = await ask({
        viewer: () => {
          throw error;
        },
      });
      expect(lines[0]?.fields['problem']).toContain(problem);
      expect(lines[0]?.fields).not.toHaveProperty('stack');
    }
  });

  it.each([
    ['51 roles', { userId: 'a', roleNames: roles(51) }],
    ['a role of 51 characters', { userId: 'a', roleNames: roles(1, 51) }],
    ['a role with a comma', { userId: 'a', roleNames: ['north,south'] }],
    ['a user ID with a space', { userId: 'north manager' }],
  ])('is rejected before any call when it returns %s, unless strictRls is off', async (_title, viewer) => {
    const strict = await ask({ viewer: () => viewer });
    expect(strict).toMatchObject({ status: 500, problem: { code: 'internal_error' } });
    expect(strict.lines[0]?.fields).toMatchObject({
      problem: expect.stringContaining('viewer() returned'),
      hint: expect.stringContaining('strictRls'),
    });
    expect(portal.calls).toHaveLength(0);
    expect(await ask({ viewer: () => viewer, strictRls: false })).toMatchObject({ status: 200 });
  });

  it.each([
    ['no user ID', {}],
    ['an empty user ID', { userId: '' }],
    ['a user ID that is not a string', { userId: 42 }],
    ['a user ID of 257 characters', { userId: 'x'.repeat(257) }],
    ['a user ID with a line break', { userId: 'a\nb' }],
    ['half a character in the user ID', { userId: 'a\ud83d' }],
    ['half a character in a role', { userId: 'a', roleNames: ['north\udc00'] }],
    ['a user ID with a zero byte', { userId: 'a\u0000b' }],
    ['a user ID with a control character that is not ASCII', { userId: 'a\u0085b' }],
    ['roles that are not a list', { userId: 'a', roleNames: 'north' }],
    ['a role that is not a string', { userId: 'a', roleNames: [1] }],
    ['a role with a line break', { userId: 'a', roleNames: ['north\nsouth'] }],
    ['an empty role', { userId: 'a', roleNames: [''] }],
  ])('is always rejected when it returns %s', async (_title, viewer) => {
    for (const strictRls of [true, false])
      expect(
        // A plain JavaScript host may return anything.
        await ask({ viewer: () => viewer as { userId: string }, strictRls }),
      ).toMatchObject({
        status: 500,
        lines: [
          {
            fields: {
              problem: expect.stringContaining('viewer() returned'),
              hint: expect.not.stringContaining('strictRls'),
            },
          },
        ],
      });
    expect(portal.calls).toHaveLength(0);
  });

  it('accepts the maximum that row-level security allows', async () => {
    const viewer = { userId: 'x'.repeat(256), roleNames: roles(50, 50) };
    expect(await ask({ viewer: () => viewer })).toMatchObject({ status: 200 });
    expect(JSON.parse(portal.calls[0]?.body ?? '').value.roleNames).toHaveLength(50);
  });
});

describe('canView()', () => {
  it.each([false, undefined, null, 0, 'yes', 1, {}])('denies access when it returns %j', async (answer) => {
    // A plain JavaScript host may return anything.
    expect(await ask({ canView: () => answer as boolean })).toMatchObject({
      status: 404,
      problem: { code: 'report_unavailable' },
    });
    expect(portal.calls).toHaveLength(0);
  });

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    ['yes', 'string'],
    [1, 'number'],
    [{}, 'object'],
  ])('is reported once to the operator when it returns %j, which is not a boolean', async (answer, seen) => {
    const logger = recordLog();
    const handler = createFetchHandler({
      portal: connectionTo(portal.url),
      viewer: () => ({ userId: 'north.manager@acme.example' }),
      canView: () => answer as boolean, // a plain JavaScript host may return anything
      logger,
    });
    onTestFinished(() => handler.close());
    for (let count = 0; count < 3; count++) await handler(keyRequest(1042));
    const warnings = logger.lines.filter(({ level }) => level === 'warn');
    const message = `canView() returned ${seen}; expected true or false. Only true opens a report.`;
    expect(warnings).toMatchObject([{ message, fields: { code: 'can_view_not_boolean' } }]);
  });

  it('is not reported when it returns false', async () => {
    const { lines } = await ask({ canView: () => false });
    expect(lines).toMatchObject([{ level: 'debug', fields: { problem: 'canView() did not return true.' } }]);
    expect(Object.keys(lines[0]?.fields ?? {})).not.toContain('portalCode');
  });

  it('denies access when it fails, and is reported to the operator', async () => {
    const failed = await ask({ canView: () => Promise.reject(new Error('database')) });
    expect(failed.status).toBe(500);
    expect(failed.lines[0]?.fields['problem']).toBe('canView() threw Error: database');
    expect(portal.calls).toHaveLength(0);
  });

  it('receives the viewer from viewer(), the Item ID and the request', async () => {
    const viewer = { userId: 'a@acme.example', departments: ['sales'] };
    let told: unknown[] = [];
    const handler = createFetchHandler({
      portal: connectionTo(portal.url),
      viewer: (_request: Request) => viewer,
      canView: (known, itemId, request) => {
        told = [known.departments, itemId, request.method];
        return true;
      },
      logger: false,
    });
    onTestFinished(() => handler.close());
    await handler(keyRequest(1042));
    expect(told).toEqual([['sales'], 1042, 'POST']);
  });
});

describe('a cross-site request', () => {
  it.each([
    ['lacks the marker header', {}, 'the header x-vitrine-request: 1 is missing', 'let proxies forward it'],
    [
      'comes from another origin',
      { 'x-vitrine-request': '1', origin: 'https://öther.example' },
      'the header Origin is "https://?ther.example" but the header Host is "host.example"',
      'allowedOrigins',
    ],
    [
      'comes from another site',
      { 'x-vitrine-request': '1', 'sec-fetch-site': 's'.repeat(101) },
      `the header Sec-Fetch-Site is "${'s'.repeat(100)}", not "same-origin"`,
      'allowedOrigins',
    ],
  ])('is rejected with the reason and a fix when it %s', async (...row) => {
    const [, header, problem, advice] = row;
    const logger = recordLog();
    const handler = createClosedHandler(logger);
    const headers = { 'content-type': 'application/json', ...header };
    const body = '{"itemId":1042}';
    const answer = await handler(
      new Request('https://host.example/api/embed/keys', { method: 'POST', headers, body }),
    );
    expect((await answer.json()).detail).toContain(problem);
    expect(logger.lines[0]?.fields).toMatchObject({
      problem: expect.stringContaining(problem),
      hint: expect.stringContaining(advice),
    });
  });

  it.each([
    ['http://a.example', 'a.example', true],
    ['http://a.example', 'a.example:80', true],
    ['https://a.example', 'a.example:443', true],
    ['https://[::1]', '[::1]:443', true],
    ['http://a.example', 'a.example:443', false],
    ['https://a.example', 'a.example:80', false],
    ['https://a.example:8443', 'a.example:443', false],
    ['https://a.example:8443', 'a.example:8443:443', false],
    ['https://a.example', 'b.example:443', false],
    ['file:///', '', false],
  ])(
    'is detected by Origin %s and Host %s, which may include the default port; same-origin: %s',
    async (...row) => {
      const [origin, host, isOfPage] = row;
      const handler = createClosedHandler();
      const { url, headers } = keyRequest(1042);
      const init = { method: 'POST', headers: { ...Object.fromEntries(headers), origin, host }, body: '{}' };
      expect((await handler(new Request(url, init))).status).toBe(isOfPage ? 401 : 403);
    },
  );

  it('is not a JSON type in capital letters or with a charset', async () => {
    const handler = createClosedHandler();
    const { url, headers } = keyRequest(1042);
    for (const type of ['Application/JSON', 'application/json ; charset=utf-8']) {
      const given = { ...Object.fromEntries(headers), 'content-type': type };
      const init = { method: 'POST', headers: given, body: '{}' };
      expect((await handler(new Request(url, init))).status).toBe(401);
    }
  });

  it.each([
    ['PUT', 405, 'Use the method POST.'],
    ['POST', 415, 'The Content-Type must be application/json.'],
  ])('is rejected with the missing method or type: %s', async (method, status, detail) => {
    const handler = createClosedHandler();
    // Bytes have no Content-Type of their own.
    const body = new TextEncoder().encode('{"itemId":1042}');
    const init = { method, headers: { 'x-vitrine-request': '1' }, body };
    const answer = await handler(new Request('https://host.example/api/embed/keys', init));
    expect(await answer.json()).toMatchObject({ status, detail });
  });
});
