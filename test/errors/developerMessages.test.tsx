import { act, cleanup, render } from '@testing-library/react';
import { EmbeddedReport, EmbedError, EmbedProvider, type EmbedProviderProps } from '@vitrine/react';
import { ReportPicker } from '@vitrine/react/picker';
import { createFakeEmbed } from '@vitrine/react/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { helpDevelopers } from '../../src/react/lib/development/helpDevelopers.ts';
import { development } from '../../src/react/lib/errors.ts';

const messages: string[] = [];
const levels: string[] = [];

/** Test files share their modules, and the help for developers says everything once. */
const uninstall = () => {
  for (const name of Object.keys(development)) Reflect.deleteProperty(development, name);
};
beforeEach(() => {
  helpDevelopers();
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
  uninstall();
});

/** What a developer reads about an error. */
const describeError = (itemId: unknown, error: EmbedError): string => {
  messages.length = 0;
  // It says everything once.
  helpDevelopers();
  // A plain JavaScript host may pass anything.
  development.onReportError?.(itemId as number, error, false);
  return messages.join('\n');
};

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
  expect(describeError(1, blocked)).toMatch(
    /Request ID.+: r-1\nOrigin of the frame: https:\/\/acme\.example/,
  );
  expect(describeError(1, blocked)).toContain('Add the origin of the tenant to `frame-src`');
  expect(describeError('1042', new EmbedError('invalid_item_id'))).toContain('The type of itemId is string.');
  expect(describeError(1, new EmbedError('http_404'))).toContain('errors.md#http_status');
});

it('explains why a list of reports cannot be loaded, once', async () => {
  const fetch = vi.fn(async () => new Response('Not found', { status: 404 }));
  for (let visit = 0; visit < 2; visit += 1) {
    const { unmount } = render(
      <EmbedProvider endpoint={`/api/lists-${visit}`} fetch={fetch}>
        <ReportPicker onSelect={vi.fn()} />
      </EmbedProvider>,
    );
    for (let turn = 0; turn < 3; turn += 1) await settle();
    unmount();
  }
  expect(fetch).toHaveBeenCalledTimes(2);
  expect(messages).toEqual([expect.stringMatching(/^\[vitrine\] The list of reports: .*\nCode: http_404\n/)]);
});

it.each([
  ['http_429', 429, 'A rate limit of the app'],
  ['http_502', 502, 'The backend is not running'],
  ['http_418', 418, 'There is no proxy to the backend'],
  ['signed_out', 200, 'redirects to a sign-in page'],
  ['signed_out', 401, '`viewer` returned nothing'],
])('knows who answers: %s with status %i', (code, status, cause) => {
  expect(describeError(1, new EmbedError(code, { status }))).toContain(cause);
});

it('quotes only causes from the host, and treats no inherited property as a known code', () => {
  const cause = 'the body of a response';
  expect(describeError(1, new EmbedError('backend_invalid_response', { cause }))).not.toContain(cause);
  expect(describeError(1, new EmbedError('constructor'))).toContain('a code that this version does not know');
});

it('warns while a report is visible or offline, and otherwise writes an error, once per tenant origin', () => {
  const show = (status: 'degraded' | 'failed', code: string, origin?: string) =>
    development.onReportError?.(1, new EmbedError(code, origin ? { origin } : {}), status === 'degraded');
  show('degraded', 'http_500');
  show('failed', 'offline', 'https://away.example');
  for (const tenant of ['north', 'south', 'north'])
    show('failed', 'frame_blocked', `https://${tenant}.example`);
  expect(levels).toEqual(['warn', 'warn', 'error', 'error']);
});

it('reports an action stream that is rejected or buffered', () => {
  development.warn?.('open');
  expect(messages).toEqual([]);
  development.warn?.('refused');
  development.warn?.('buffered');
  expect(messages.map((text) => text.split('\n')[0])).toEqual([
    '[vitrine] The response to the request for /actions is not an action stream.',
    '[vitrine] Nothing arrives from the action stream, so no clicks do.',
  ]);
});

/** Excludes messages about the page, which a slow machine may write in time. */
const reportMessages = () => messages.filter((text) => text.startsWith('[vitrine] Report'));

it('names the result of a request, without a query', async () => {
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
  await page('/api/embed/', { fetch: async () => new Response('', { status: 418 }) });
  await page('/two', { headers: () => Promise.reject(new Error('no token')) });
  await page('/three?secret', { fetch: async () => Response.json({}) });
  expect(reportMessages()).toEqual([
    expect.stringContaining('Code: http_418\n'),
    expect.stringContaining('Seen: Error: no token\n'),
    expect.stringContaining('Code: backend_invalid_response\n'),
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

it('says that something caches the key route when a renewal brings the same key again', async () => {
  const fake = createFakeEmbed();
  let first: Promise<Response> | undefined;
  const cached: EmbedProviderProps['fetch'] = (...request) =>
    (first ??= fake.provider.fetch?.(...request) ?? Promise.reject(new Error()));
  render(
    <EmbedProvider {...fake.provider} fetch={cached}>
      <EmbeddedReport itemId={1042} />
    </EmbedProvider>,
  );
  await settle();
  act(() => fake.load());
  expect(messages).toEqual([]);
  await act(async () => fake.advance(55 * 60_000));
  await settle();
  expect(messages).toHaveLength(1);
  expect(messages[0]).toMatch(/the same key as before.+\nLikely cause: .+ caches .+\nWhat to do: /);
  expect(messages[0]).not.toContain('fake-key');
  fake.close();
});

it('says that two providers with different headers share their keys, unless a viewerKey tells them apart', async () => {
  const fake = createFakeEmbed();
  const asAnna = () => ({ authorization: 'Bearer anna' });
  const asBen = () => ({ authorization: 'Bearer ben' });
  const page = (second: EmbedProviderProps) => (
    <EmbedProvider {...fake.provider} headers={asAnna}>
      <EmbeddedReport itemId={1042} />
      <EmbedProvider {...second}>
        <EmbeddedReport itemId={1042} />
      </EmbedProvider>
    </EmbedProvider>
  );
  const { rerender } = render(page({ labels: { report: 'The same headers' } }));
  await settle();
  expect(messages).toEqual([]);
  rerender(page({ headers: asBen, viewerKey: 'ben' }));
  await settle();
  expect(messages).toEqual([]);
  rerender(
    <EmbedProvider {...fake.provider} viewerKey="anna">
      {page({ headers: asBen })}
    </EmbedProvider>,
  );
  await settle();
  expect(messages).toEqual([]);
  rerender(page({ headers: asBen }));
  await settle();
  expect(messages).toHaveLength(1);
  expect(messages[0]).toMatch(/share the key of a report.+\nLikely cause: .+\nWhat to do: .+ `viewerKey`/);
  expect(messages[0]).not.toContain('Bearer');
  fake.close();
});
