import { vitrine } from '@vitrine/express';
import express, { type Express } from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type HostOptions, optionsFor } from '../support/keyHost.ts';
import { serveUntilEnd } from '../support/serveUntilEnd.ts';
import { startStandInPortal } from '../support/standInPortal.ts';

const mountOn = (app: Express, portalUrl: string, options: HostOptions = {}) => {
  const handler = vitrine(optionsFor<express.Request>(portalUrl, (req) => req.get('cookie'), options));
  onTestFinished(() => handler.close());
  app.use('/api/embed', handler);
  return serveUntilEnd(app);
};

const post = (url: string, body: string) =>
  fetch(`${url}/api/embed/keys`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'x-vitrine-request': '1', cookie: 'north' },
    body,
  });

describe('vitrine()', () => {
  it.each([
    ['express.json()', express.json()],
    ['express.text()', express.text({ type: '*/*' })],
    ['express.raw()', express.raw({ type: '*/*' })],
  ])('also works behind %s', async (_name, parser) => {
    const portal = await startStandInPortal();
    onTestFinished(() => portal.close());
    const app = express();
    app.use(parser);
    const url = await mountOn(app, portal.url);
    expect((await post(url, '{"itemId":1042}')).status).toBe(200);
    expect((await post(url, '{"itemId":1042,"userId":"x"}')).status).toBe(400);
    expect((await post(url, `{"itemId":1042,"more":"${'x'.repeat(3000)}"}`)).status).toBe(413);
  });

  it('names a middleware that consumed the body before it', async () => {
    const portal = await startStandInPortal();
    onTestFinished(() => portal.close());
    const app = express();
    app.use((req, _res, next) => {
      req.resume().on('end', next);
    });
    const url = await mountOn(app, portal.url);
    const response = await post(url, '{"itemId":1042}');
    expect(response.status).toBe(400);
    expect((await response.json()).detail).toContain('before other body parsers');
  });

  it('passes every other path to the next handler', async () => {
    const portal = await startStandInPortal();
    onTestFinished(() => portal.close());
    const app = express();
    const next = express.Router();
    next.use((_req, res) => void res.status(418).end());
    const handler = vitrine(optionsFor<express.Request>(portal.url, (req) => req.get('cookie'), {}));
    onTestFinished(() => handler.close());
    app.use('/api/embed', handler, next);
    const url = await serveUntilEnd(app);
    expect((await fetch(`${url}/api/embed/other`)).status).toBe(418);
    expect((await fetch(`${url}/api/embed/actions`)).status).toBe(418);
    expect((await fetch(`${url}/api/embed`)).status).toBe(418);
  });
});

describe('Vary', () => {
  it.each([
    ['a string', 'Accept-Encoding'],
    ['a list', ['Accept-Encoding', 'Cookie']],
  ])('keeps the value that the host set as %s and adds its own', async (_name, given) => {
    const portal = await startStandInPortal();
    onTestFinished(() => portal.close());
    const app = express();
    app.use((_req, res, next) => {
      res.setHeader('Vary', given);
      next();
    });
    const url = await mountOn(app, portal.url);
    for (const body of ['{"itemId":1042}', '{']) {
      const names = (await post(url, body)).headers.get('vary')?.split(', ');
      expect([...new Set(names)].sort()).toEqual([
        'Accept-Encoding',
        'Authorization',
        'Cookie',
        'Origin',
        'Sec-Fetch-Site',
      ]);
    }
  });
});
