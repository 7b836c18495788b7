import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { PortalError } from '@vitrine/portal-client';
import {
  createFetchHandler,
  createNodeHandler,
  type ErrorContext,
  type VitrineOptions,
} from '@vitrine/server';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { optionsFor } from '../support/keyHost.ts';
import { keyRequest } from '../support/keyRequest.ts';
import { listenOn } from '../support/listenOn.ts';
import { recordLog } from '../support/recordLog.ts';
import { serveUntilEnd } from '../support/serveUntilEnd.ts';
import {
  closeServer,
  connectionTo,
  envelopeOf,
  type StandInPortal,
  startStandInPortal,
} from '../support/standInPortal.ts';

let portal: StandInPortal;
beforeEach(async () => {
  portal = await startStandInPortal();
});
afterEach(() => portal.close());

const mount = (options: Partial<VitrineOptions<Request>>) => {
  const logger = recordLog();
  const errors: { error: unknown; context: ErrorContext }[] = [];
  const handler = createFetchHandler({
    portal: connectionTo(portal.url),
    viewer: () => ({ userId: 'north.manager@acme.example' }),
    canView: () => true,
    onError: (error, context) => void errors.push({ error, context }),
    logger,
    ...options,
  });
  onTestFinished(() => handler.close());
  const ask = async (itemId = 1042) => {
    const response = await handler(keyRequest(itemId));
    return { status: response.status, body: await response.json() };
  };
  return { ask, errors, lines: logger.lines };
};

describe('an error of a host callback', () => {
  it.each(['viewer', 'canView', 'portal'] as const)(
    'is reported as an error of %s, even if it looks like one of the portal',
    async (callback) => {
      const thrown = new PortalError('The directory has no such user.', { kind: 'not_found' });
      const { ask, errors, lines } = mount({
        [callback]: () => {
          throw thrown;
        },
      });
      expect(await ask()).toMatchObject({ status: 500, body: { code: 'internal_error' } });
      expect(errors).toMatchObject([{ error: thrown, context: { code: 'internal_error' } }]);
      expect(errors[0]?.error).toBe(thrown);
      expect(lines).toMatchObject([
        {
          level: 'error',
          fields: {
            problem: `${callback}() threw PortalError: The directory has no such user.`,
            stack: expect.stringContaining('hostFailures.test.ts'),
          },
        },
      ]);
      expect(portal.calls).toHaveLength(0);
    },
  );

  it('is passed to onError when it is a rejection, with the request context', async () => {
    const thrown = new Error('database');
    const { ask, errors } = mount({ canView: () => Promise.reject(thrown) });
    const { body } = await ask(7);
    expect(errors).toMatchObject([
      {
        error: thrown,
        context: {
          requestId: body.requestId,
          userId: 'north.manager@acme.example',
          itemId: 7,
          tenancyName: 'acme',
        },
      },
    ]);
  });

  it('is attributed to the portal callback when it returns an unusable connection', async () => {
    const { ask, lines } = mount({ portal: () => ({ ...connectionTo(portal.url), tenantUrl: 'acme' }) });
    expect(await ask()).toMatchObject({ status: 500, body: { code: 'internal_error' } });
    expect(lines[0]?.fields['problem']).toMatch(/^portal\(\) threw /);
  });

  it('has a context of only plain data', async () => {
    const { ask, errors } = mount({ canView: () => Promise.reject(new Error('database')) });
    await ask(7);
    const context = errors[0]?.context;
    expect(structuredClone(context)).toEqual(context);
    expect(Object.values(context ?? {}).filter((value) => typeof value === 'object')).toEqual([]);
  });

  it('is answered even if it cannot be read', async () => {
    const unreadable = new Error('never seen');
    for (const name of ['message', 'stack'])
      Object.defineProperty(unreadable, name, {
        get: () => {
          throw new Error('getter');
        },
      });
    const { ask, lines } = mount({ viewer: () => Promise.reject(unreadable) });
    expect(await ask()).toMatchObject({ status: 500, body: { code: 'internal_error' } });
    expect(lines[0]?.fields['problem']).toBe('viewer() threw an error that cannot be read');
  });

  it('is answered even if onError throws', async () => {
    const { ask } = mount({
      viewer: () => Promise.reject(new Error('session store')),
      onError: () => {
        throw new Error('Sentry is away');
      },
    });
    expect(await ask()).toMatchObject({ status: 500 });
  });

  it('is passed to onError, like portal failures and unlike mistakes of a viewer', async () => {
    const { ask, errors } = mount({ canView: (_, itemId) => itemId === 1042, upstream: { retry: false } });
    await ask(1);
    portal.answer = () => ({ status: 503, body: '' });
    await ask();
    expect(errors).toMatchObject([{ error: { kind: 'server', status: 503 } }]);
  });
});

describe('a host callback that never settles', () => {
  it.each(['viewer', 'canView', 'portal'] as const)('times out: %s', async (callback) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const asked = Promise.withResolvers<void>();
    const { ask, lines } = mount({
      [callback]: () => {
        asked.resolve();
        return new Promise(() => undefined);
      },
    });
    const answer = ask();
    await asked.promise;
    await vi.advanceTimersByTimeAsync(5000);
    expect(await answer).toMatchObject({ status: 500, body: { code: 'internal_error' } });
    expect(lines[0]?.fields['problem']).toBe(
      `${callback}() threw Error: ${callback}() took longer than 5000 ms.`,
    );
  });
});

describe('a session object that changes during the request', () => {
  const north = () => ({ userId: 'north', roleNames: ['region-north'] });
  const changed = { status: 500, body: { code: 'internal_error' } };
  type Session = ReturnType<typeof north>;
  const becomeAdmin = (session: Session) => void (session.userId = 'admin');
  const become: [string, (session: Session) => void][] = [
    ['another user', becomeAdmin],
    ['one more role', ({ roleNames }) => void roleNames.push('all-regions')],
    ['another role', ({ roleNames }) => void (roleNames[0] = 'all-regions')],
    ['roles in a new list', (session) => void (session.roleNames = ['all-regions'])],
  ];

  it.each(become)('gets no key if it shows %s before canView runs', async (_, change) => {
    const session = north();
    const canView = vi.fn(() => true);
    const { ask, lines } = mount({
      viewer: () => session,
      canView,
      portal: async () => {
        change(session);
        return connectionTo(portal.url);
      },
    });
    expect(await ask()).toMatchObject(changed);
    expect([canView.mock.calls, portal.calls]).toEqual([[], []]);
    expect(lines[0]?.fields).toMatchObject({
      problem: 'The object that viewer() returned changed while the request was waiting.',
      hint: expect.stringContaining('a copy of the session'),
    });
  });

  it.each(become)('gets no key if it shows %s after canView ran', async (...row) => {
    const [, change] = row;
    let isChanging = true;
    const { ask } = mount({
      viewer: north,
      canView: async (session) => {
        // The viewer is the session object, whose type is the test's own.
        if (isChanging) change(session as Session);
        return true;
      },
    });
    expect(await ask()).toMatchObject(changed);
    expect(portal.calls).toHaveLength(0);
    // Control: without a change, it gets a key.
    isChanging = false;
    expect(await ask()).toMatchObject({ status: 200 });
  });

  it('has no effect after the portal was called', async () => {
    const session = north();
    const { ask } = mount({ viewer: () => session });
    portal.answer = () => {
      becomeAdmin(session);
      return { body: envelopeOf('abc') };
    };
    expect(await ask()).toMatchObject({ status: 200 });
    expect(JSON.parse(portal.calls[0]?.body ?? '').value).toMatchObject({ userId: 'north' });
  });

  it('may be a class with getters that return consistent values', async () => {
    class User {
      readonly #name = 'north';
      get userId() {
        return this.#name;
      }
      get roleNames() {
        return ['region-north'];
      }
      owns(itemId: number) {
        return this.#name === 'north' && itemId === 1042;
      }
    }
    const user = new User();
    const { ask } = mount({
      viewer: () => user,
      canView: (viewer, itemId) => viewer === user && user.owns(itemId),
    });
    expect(await ask()).toMatchObject({ status: 200 });
  });

  it('gets no key if a getter returns one user to the check and another to canView', async () => {
    let reads = 0;
    const { ask } = mount({
      viewer: () => ({
        get userId() {
          reads += 1;
          return reads === 1 ? 'north' : 'admin';
        },
      }),
    });
    expect(await ask()).toMatchObject(changed);
    expect(portal.calls).toEqual([]);
  });
});

describe('a host hook that throws while a response is sent', () => {
  const hooked = (handler: ReturnType<typeof createNodeHandler>) =>
    serveUntilEnd((request, response) => {
      response.writeHead = () => {
        throw new Error('on-headers: hook failed');
      };
      handler(request, response);
    });
  const statusOf = (url: string, path: string, method: string) =>
    new Promise<string>((resolve) => {
      const headers = { 'content-type': 'application/json', 'x-vitrine-request': '1', cookie: 'north' };
      const sent = httpRequest(`${url}${path}`, { method, headers }, (response) => {
        response.resume();
        resolve(String(response.statusCode));
      });
      sent.on('error', () => resolve('cut'));
      sent.end(method === 'POST' ? '{"itemId":1042}' : undefined);
    });

  it('fails that response and does not crash the process', async () => {
    const logger = recordLog();
    const errors: unknown[] = [];
    const handler = createNodeHandler({
      ...optionsFor<IncomingMessage>(portal.url, ({ headers }) => headers.cookie, { logger }),
      onError: (error) => void errors.push(error),
    });
    onTestFinished(() => handler.close());
    const url = await hooked(handler);
    // An unhandled rejection would fail this run.
    expect(await statusOf(url, '/keys', 'POST')).toBe('cut');
    expect(await statusOf(url, '/keys', 'GET')).toBe('cut');
    expect(await statusOf(url, '/other', 'GET')).toBe('cut');
    expect(logger.lines.find(({ level }) => level === 'error')).toMatchObject({
      fields: { problem: expect.stringContaining('on-headers: hook failed'), stack: expect.any(String) },
    });
    expect(errors).toMatchObject([{ message: 'on-headers: hook failed' }, {}, {}]);
  });

  it('fails an action stream and does not crash the process', async () => {
    const actions: NonNullable<VitrineOptions<never>['actions']> = {
      open: async () => ({
        status: 200,
        headers: { 'content-type': 'text/event-stream' },
        body: new ReadableStream(),
      }),
    };
    const handler = createNodeHandler({
      ...optionsFor<IncomingMessage>(portal.url, ({ headers }) => headers.cookie, {}),
      actions,
    });
    onTestFinished(() => handler.close());
    expect(await statusOf(await hooked(handler), '/actions', 'GET')).toBe('cut');
  });
});

describe('a response that the host has started', () => {
  it('is closed if it does not end, and the operator is notified', async () => {
    const logger = recordLog();
    const handler = createNodeHandler(optionsFor<IncomingMessage>(portal.url, () => 'north', { logger }));
    onTestFinished(() => handler.close());
    let isWhole = false;
    const url = await serveUntilEnd((request, response) => {
      response.flushHeaders();
      if (isWhole) response.end();
      handler(request, response);
    });
    const ask = async () => {
      const headers = { 'content-type': 'application/json', 'x-vitrine-request': '1' };
      const response = await fetch(`${url}/keys`, { method: 'POST', headers, body: '{"itemId":1042}' });
      return await response.text();
    };
    await expect(ask()).rejects.toThrow('terminated');
    expect(logger.lines.filter(({ level }) => level === 'error')).toMatchObject([
      { fields: { problem: expect.stringContaining('headers after they are sent') } },
    ]);
    // If the host has ended the response, that is its own responsibility.
    isWhole = true;
    expect(await ask()).toBe('');
    expect(logger.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  });
});

describe('a body that arrives only in part', () => {
  const logger = recordLog();
  const answerTo = async (framing: string, waitMs = 0) => {
    logger.lines.length = 0;
    const asked = Promise.withResolvers<void>();
    const handler = createNodeHandler({
      ...optionsFor<IncomingMessage>(portal.url, () => 'north', { logger }),
      viewer: () => {
        asked.resolve();
        return { userId: 'north' };
      },
    });
    onTestFinished(() => handler.close());
    const server = createServer(handler);
    onTestFinished(() => closeServer(server));
    const url = new URL(await listenOn(server));
    const socket = connect(Number(url.port), url.hostname);
    socket.write(
      `POST /keys HTTP/1.1\r\nHost: host.example\r\nx-vitrine-request: 1\r\nContent-Type: application/json\r\n${framing}`,
    );
    const answer = text(socket);
    await Promise.race([asked.promise, answer]);
    if (waitMs > 0) await vi.advanceTimersByTimeAsync(waitMs);
    return await answer;
  };

  it('gets a response of 400 at its timeout, and the connection is closed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const answer = await answerTo('Content-Length: 15\r\n\r\n{"item', 5000);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/^connection: close\r$/im);
    expect(answer).toContain('did not arrive within 5000 ms');
    expect(portal.calls).toHaveLength(0);
    expect(logger.lines[0]?.fields['problem']).toBe('The request body did not arrive within 5000 ms.');
  });

  it('is distinguished from a complete one without a key request, after which the connection stays open', async () => {
    const answer = await answerTo(
      'Content-Length: 2\r\n\r\n{}POST /keys HTTP/1.1\r\nHost: host.example\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*HTTP\/1\.1 403 /);
    expect(logger.lines.map(({ fields }) => fields['problem'])).toContain(
      'The body lacks "itemId", the ID of the report.',
    );
  });

  it.each([
    ['announced', 'Content-Length: 100000\r\n\r\n{"item'],
    ['sent in chunks', `Transfer-Encoding: chunked\r\n\r\nbb8\r\n${' '.repeat(3000)}\r\n`],
  ])(
    'gets a response of 413 when it is too large with %s, and the connection is closed',
    async (_, framing) => {
      expect(await answerTo(framing)).toMatch(/^HTTP\/1\.1 413 [^]*^connection: close\r$/im);
    },
  );
});
