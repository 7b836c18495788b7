import { type DehydratedState, dehydrate, QueryClient } from '@tanstack/react-query';
import { act, cleanup, render } from '@testing-library/react';
import {
  EmbeddedReport,
  EmbedError,
  EmbedProvider,
  type EmbedProviderProps,
  embedKeyOptions,
} from '@vitrine/react';
import { createFakeEmbed } from '@vitrine/react/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { describeError } from '../../src/react/lib/development/describeError.ts';
import { logForDeveloper } from '../../src/react/lib/development/logForDeveloper.ts';
import { inspect, inspectors } from '../../src/react/lib/inspectors.ts';

const messages: string[] = [];
const levels: string[] = [];
// Test files share their modules.
beforeAll(() => void inspectors.add(logForDeveloper));
afterAll(() => void inspectors.delete(logForDeveloper));
beforeEach(() => {
  messages.length = 0;
  levels.length = 0;
  for (const level of ['error', 'warn'] as const)
    vi.spyOn(console, level).mockImplementation((text: string) => {
      messages.push(text);
      levels.push(level);
    });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 0)));

it('explains each cause once: what happened and what to do', async () => {
  const fake = createFakeEmbed();
  fake.answer('portal_refused');
  render(
    <EmbedProvider {...fake.provider}>
      <EmbeddedReport itemId={1042} />
      <EmbeddedReport itemId={1043} />
    </EmbedProvider>,
  );
  await settle();
  expect(messages).toHaveLength(1);
  expect(messages[0]).toMatch(/Report 1042: The portal refused to create a key\.\nCode: portal_refused/);
  expect(messages[0]).toMatch(
    /\nLikely cause: .+\nWhat to do: .+\nhttps:.+\/docs\/errors\.md#portal_refused$/,
  );
  fake.close();
});

it('writes nothing without a problem (control)', async () => {
  const fake = createFakeEmbed();
  render(
    <EmbedProvider {...fake.provider}>
      <EmbeddedReport itemId={1042} />
    </EmbedProvider>,
  );
  await settle();
  expect(messages).toEqual([]);
  fake.close();
});

it('names the request, the tenant origin and the type of a wrong item ID', () => {
  const blocked = new EmbedError('frame_blocked', { origin: 'https://acme.example', requestId: 'r-1' });
  expect(describeError(1, blocked)).toMatch(/Request ID.+: r-1\nTenant origin: https:\/\/acme\.example/);
  expect(describeError(1, blocked)).toContain('Add the origin of the tenant to `frame-src`');
  expect(describeError('1042', new EmbedError('invalid_item_id'))).toContain('The type of itemId is string.');
  expect(describeError(1, new EmbedError('http_404'))).toContain('errors.md#http_status');
});

it('names the key request if it failed, but not if the frame failed', () => {
  const request = 'Request: POST /api/embed/keys';
  const describe = (code: string) => describeError(1, new EmbedError(code), '/api/embed/keys');
  expect(describe('http_404')).toContain(request);
  for (const code of ['frame_slow', 'key_expired']) expect(describe(code)).not.toContain(request);
});

it('quotes only causes from the host, and treats no inherited property as a known code', () => {
  const cause = 'the body of a response';
  expect(describeError(1, new EmbedError('backend_invalid_response', { cause }))).not.toContain(cause);
  expect(describeError(1, new EmbedError('constructor'))).toContain('a code that this version does not know');
});

it('warns while a report is visible or offline, and otherwise writes an error, once per tenant origin', () => {
  const show = (status: 'degraded' | 'failed', code: string, origin?: string) =>
    logForDeveloper({
      type: 'state',
      itemId: 1,
      state: { status, error: new EmbedError(code, origin ? { origin } : {}) },
    });
  show('degraded', 'http_500');
  show('failed', 'offline', 'https://away.example');
  for (const tenant of ['north', 'south', 'north'])
    show('failed', 'frame_blocked', `https://${tenant}.example`);
  expect(levels).toEqual(['warn', 'warn', 'error', 'error']);
});

it('reports an action stream that is rejected or buffered', () => {
  inspect({ type: 'stream', endpoint: '/api/embed', status: 'open' });
  expect(messages).toEqual([]);
  inspect({ type: 'stream', endpoint: '/api/embed', status: 'refused' });
  inspect({ type: 'stream', endpoint: '/api/embed', status: 'buffered' });
  expect(messages.map((text) => text.split('\n')[0])).toEqual([
    '[vitrine] The response to the request for /actions is not an action stream.',
    '[vitrine] Nothing arrives from the action stream, so no clicks do.',
  ]);
});

it.each([
  ['explains failures on a page', document, 1],
  ['writes nothing on a server, whose log has the failures', undefined, 0],
])('%s', async (_, loadedIn, count) => {
  vi.stubGlobal('document', loadedIn);
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.resetModules();
  const { inspect: inspectLoaded } = await import('../../src/react/lib/inspectors.ts');
  await import('../../src/react/lib/development/install.ts');
  inspectLoaded({ type: 'stream', endpoint: '/api/embed', status: 'buffered' });
  expect(messages).toHaveLength(count);
});

/** What the persisters of React Query write: of the whole client, and of each query. */
const stored: Readonly<Record<string, (state: DehydratedState) => string>> = {
  'the whole client': (clientState) => JSON.stringify({ buster: '', timestamp: 0, clientState }),
  'one query': ({ queries: [query] }) =>
    JSON.stringify({
      buster: '',
      queryHash: query?.queryHash,
      queryKey: query?.queryKey,
      state: query?.state,
    }),
};

it.each([
  ['localStorage', 'the whole client'],
  ['sessionStorage', 'one query'],
] as const)('reports a key in %s from a persister of %s, without the key', async (place, what) => {
  const fake = createFakeEmbed();
  onTestFinished(() => fake.close());
  const queryClient = new QueryClient();
  const { key } = await queryClient.fetchQuery(embedKeyOptions(1042, fake.provider));
  const storage = globalThis[place];
  onTestFinished(() => storage.clear());
  storage.setItem('cache', stored[what]?.(dehydrate(queryClient)) ?? '');
  expect(storage.getItem('cache')).toContain(key);
  // It reports each cause once, so each storage needs its own page.
  vi.resetModules();
  const ofNewPage = await import('../../src/react/lib/development/logForDeveloper.ts');
  vi.useFakeTimers();
  ofNewPage.logForDeveloper({ type: 'state', itemId: 1042, state: { status: 'ready' } });
  await vi.runAllTimersAsync();
  expect(messages).toEqual([
    expect.stringContaining(`contains an embed key, which is a credential.\nSeen in: ${place}\n`),
  ]);
  expect(messages[0]).not.toContain(key);
});

it('writes nothing on a page without storage', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('sessionStorage', undefined);
  onTestFinished(() => void vi.unstubAllGlobals());
  logForDeveloper({ type: 'state', itemId: 1042, state: { status: 'ready' } });
  await vi.runAllTimersAsync();
  expect(messages).toEqual([]);
});

it('checks for the style sheet without an error after a test removed its page', () => {
  vi.useFakeTimers();
  const error = new EmbedError('offline');
  inspect({ type: 'state', itemId: 1044, state: { status: 'failed', error } });
  vi.stubGlobal('document', undefined);
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(() => vi.runAllTimers()).not.toThrow();
});

it('reports a missing style sheet', () => {
  vi.useFakeTimers();
  render(
    <div className="vitrine-report">
      <p className="vitrine-message" />
    </div>,
  );
  inspect({ type: 'state', itemId: 1, state: { status: 'failed', error: new EmbedError('offline') } });
  vi.runAllTimers();
  expect(messages).toContainEqual(expect.stringContaining('@vitrine/react/styles.css'));
});

/** Excludes messages about the page, which a slow machine may write in time. */
const reportMessages = () => messages.filter((text) => text.startsWith('[vitrine] Report'));

it('names the requested URL without its query, and the result', async () => {
  const page = async (endpoint: string, props: Partial<EmbedProviderProps>) => {
    const fake = createFakeEmbed();
    const { unmount } = render(
      <EmbedProvider {...fake.provider} {...props} endpoint={endpoint}>
        <EmbeddedReport itemId={1042} />
      </EmbedProvider>,
    );
    for (let turn = 0; turn < 3; turn += 1) await settle();
    unmount();
  };
  const tenantUrl = 'javascript:alert(1)?secret';
  const key = { itemId: 1042, key: 'k', tenantUrl, lifetimeMs: 60_000, expiresAt: '' };
  await page('/api/embed/', { fetch: async () => new Response('', { status: 418 }) });
  await page('/two', { headers: () => Promise.reject(new Error('no token')) });
  await page('/three?secret', { fetch: async () => Response.json(key) });
  expect(reportMessages()).toEqual([
    expect.stringContaining('Request: POST /api/embed//keys\n'),
    expect.stringContaining('Request: POST /two/keys\nSeen: Error: no token\n'),
    expect.stringContaining('Request: POST /three\nSeen: javascript:alert(1)\n'),
  ]);
  expect(messages.join()).not.toContain('secret');
});

it('reports each invalid item ID', async () => {
  const fake = createFakeEmbed();
  render(
    <EmbedProvider {...fake.provider}>
      {[Number.NaN, -3, 1.5, undefined, null].map((itemId) => (
        <EmbeddedReport key={String(itemId)} itemId={itemId as number} />
      ))}
    </EmbedProvider>,
  );
  await settle();
  expect(reportMessages().join()).not.toContain('Request:');
  const headings = reportMessages().map((text) => /Report (\S+):/.exec(text)?.[1]);
  expect(headings).toEqual(['NaN', '-3', '1.5', 'undefined', 'null']);
});

it('distinguishes a request that failed in the page from an endpoint that does not respond', () => {
  const describe = (text: string) =>
    describeError(1, new EmbedError('backend_unreachable', { cause: new TypeError(text) }));
  for (const text of ['Failed to fetch', 'NetworkError when attempting to fetch resource.', 'Load failed'])
    expect(describe(text)).toContain(`Nothing responds at the endpoint`);
  const name = "Failed to execute 'fetch' on 'Window': Invalid name";
  expect(describe(name)).toContain(`The request failed in the page, before a response.`);
  expect(describe(name)).toContain(`Seen: TypeError: ${name}\n`);
  expect(describe('my fetch')).toContain('Seen: TypeError: my fetch\n');
  // Firefox, Node and WebKit quote the value, which may be a token.
  for (const text of [
    'Window.fetch: Bearer secret\n is an invalid header value.',
    'Headers.append: "Bearer secret\n" is an invalid header value.',
    "Header 'authorization' has invalid value: 'Bearer secret\n'",
  ])
    expect(describe(text)).toMatch(/^(?!.*secret).*Seen: An invalid header value\.\n/s);
});

it.each([
  ['throws', () => expect.fail('my fetch'), 'Seen: AssertionError: my fetch'],
  ['returns nothing', () => undefined, 'Seen: TypeError: '],
])('reports a `fetch` prop that %s', async (_, send, seen) => {
  const fake = createFakeEmbed();
  // A plain JavaScript host may pass it.
  const fetch = send as unknown as EmbedProviderProps['fetch'];
  const onError = vi.fn<(error: EmbedError) => void>();
  render(
    <EmbedProvider {...fake.provider} fetch={fetch} onError={onError}>
      <EmbeddedReport itemId={1042} />
    </EmbedProvider>,
  );
  for (let turn = 0; turn < 3; turn += 1) await settle();
  const [error] = onError.mock.calls[0] ?? [];
  expect(error).toMatchObject({ code: 'backend_unreachable' });
  expect(error && describeError(1042, error)).toContain(seen);
});
