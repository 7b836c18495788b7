import { createServer } from 'node:http';
import { createActions, sqliteInbox, vitrine } from '@vitrine/express';
import express, { type RequestHandler } from 'express';
import { describe, expect, it } from 'vitest';
import { endWithTest } from '../actions/support/endWithTest.ts';
import { openStream } from '../actions/support/openStream.ts';
import { clickBody, reportNumber, secret } from '../actions/support/samples.ts';
import { listenOn } from '../support/listenOn.ts';
import { connectionTo, startStandInPortal } from '../support/standInPortal.ts';

/** Wraps a method as many middlewares do: the wrapper passes the arguments on and returns nothing. */
const wrap = <TName extends string>(
  target: { [name in TName]: (...values: never[]) => unknown },
  name: TName,
  run: () => void = () => undefined,
): void => {
  const original = target[name];
  target[name] = function (this: unknown, ...values: never[]) {
    run();
    original.apply(this, values);
  };
};

/** Middlewares by the method that they wrap. */
const middlewares: Readonly<Record<string, RequestHandler>> = {
  'writeHead, as log4js does': (_request, response, next) => {
    wrap(response, 'writeHead');
    next();
  },
  'writeHead, to set a header': (_request, response, next) => {
    wrap(response, 'writeHead', () => void response.setHeader('x-time', '1'));
    next();
  },
  'writeHead, and pass only the status on': (_request, response, next) => {
    const original = response.writeHead.bind(response);
    response.writeHead = (status: number) => original(status);
    next();
  },
  'write and end, to log bodies': (_request, response, next) => {
    wrap(response, 'write');
    wrap(response, 'end');
    next();
  },
  setHeader: (_request, response, next) => {
    wrap(response, 'setHeader');
    next();
  },
  'on of the request and the response': (request, response, next) => {
    wrap(request, 'on');
    wrap(response, 'on');
    next();
  },
};

/** Starts a host with one middleware. */
const start = async (middleware: RequestHandler) => {
  const portal = await startStandInPortal();
  const actions = createActions({
    secrets: secret,
    inbox: sqliteInbox(':memory:'),
    audience: () => 'north',
    itemIdOf: () => reportNumber,
    on: () => undefined,
  });
  const mount = vitrine({
    portal: connectionTo(portal.url),
    viewer: () => ({ userId: 'north' }),
    canView: () => true,
    actions,
    logger: false,
  });
  const server = createServer(express().use(middleware).use('/api/embed', mount));
  const url = await listenOn(server);
  endWithTest({ actions, server, mount });
  const post = (path: string, body: unknown, headers: Record<string, string>) =>
    fetch(`${url}/api/embed${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  return {
    portal,
    askForKey: (itemId: unknown) => post('/keys', { itemId }, { 'x-vitrine-request': '1' }),
    click: (body: unknown) => post('/webhook', body, { authorization: `Bearer ${secret}` }),
    open: () => openStream(`${url}/api/embed/actions`),
  };
};

describe.each(Object.entries(middlewares))('behind a middleware that wraps %s', (_name, middleware) => {
  it('the key route sends its whole response', async () => {
    const { portal, askForKey } = await start(middleware);
    const response = await askForKey(1042);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({ itemId: 1042, key: 'key-1' });
    expect(portal.calls).toHaveLength(1);
    const problem = await askForKey(0);
    expect(problem.headers.get('content-type')).toBe('application/problem+json');
    expect(await problem.json()).toMatchObject({ status: 400, code: 'invalid_item_id' });
  });

  it('a click reaches the page', async () => {
    const { click, open } = await start(middleware);
    const stream = await open();
    expect(stream.response.headers.get('content-type')).toContain('text/event-stream');
    await stream.untilHello();
    for (const count of [1, 2]) {
      const response = await click(clickBody());
      expect([response.status, response.headers.get('content-length')]).toEqual([202, '0']);
      await stream.untilActions(count);
    }
    stream.close();
  });
});
