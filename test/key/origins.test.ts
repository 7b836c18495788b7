import { createFetchHandler } from '@vitrine/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keyRequest } from '../support/keyRequest.ts';
import { connectionTo } from '../support/standInPortal.ts';

/** A host without viewers: a request of an allowed origin gets 401, and any other 403. */
const statusOf = async (headers: Record<string, string>, allowedOrigins: readonly string[] = []) => {
  const handler = createFetchHandler({
    portal: connectionTo('http://127.0.0.1:9'),
    viewer: () => null,
    canView: () => false,
    allowedOrigins,
    logger: false,
  });
  onTestFinished(() => handler.close());
  const request = keyRequest(1042);
  for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
  return (await handler(request)).status;
};

const apps = [
  'capacitor://localhost',
  'ionic://localhost',
  'tauri://localhost',
  'app://reports',
  'http://tauri.localhost',
  'https://localhost',
  'http://localhost:8100',
];

describe('the origin of an app with its own scheme', () => {
  it.each(apps)('is accepted if it is listed: %s', async (origin) => {
    const headers = { origin, host: 'api.example', 'sec-fetch-site': 'cross-site' };
    expect(await statusOf(headers, [origin])).toBe(401);
    expect(await statusOf(headers)).toBe(403);
  });

  it('is not the same site as a host of its name', async () => {
    expect(await statusOf({ origin: 'capacitor://localhost', host: 'localhost' })).toBe(403);
    expect(await statusOf({ origin: 'http://localhost', host: 'localhost' })).toBe(401);
  });

  it.each([
    'null',
    '*',
    'capacitor://*',
    'capacitor://localhost/',
    'capacitor://localhost/path',
    'Capacitor://localhost',
    'capacitor:localhost',
    'file://host',
    'javascript://host',
    'data://host',
    'https://app.example/',
    'https://app.example:443',
    'HTTPS://app.example',
  ])('cannot be listed as %s, which no browser sends or everybody does', async (origin) => {
    await expect(statusOf({}, [origin])).rejects.toThrow('[invalid_option]');
  });
});

describe('the header Host', () => {
  it.each([
    'app.example',
    'App.Example',
    'app.example.',
    'APP.EXAMPLE.',
    'app.example.:443',
    'app.example:443',
  ])('is compared without case and final dot: %s', async (host) => {
    expect(await statusOf({ host, origin: 'https://app.example' })).toBe(401);
  });

  it.each(['app.example..', '.app.example', 'app.example.evil', 'app.example:444', 'xapp.example', ''])(
    'is not the origin of the page: %j',
    async (host) => {
      expect(await statusOf({ host, origin: 'https://app.example' })).toBe(403);
    },
  );
});
