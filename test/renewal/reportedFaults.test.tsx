import { act, fireEvent, render } from '@testing-library/react';
import {
  EmbeddedReport,
  type EmbeddedReportHandle,
  type EmbedError,
  EmbedProvider,
  useEmbed,
} from '@vitrine/react';
import { createRef, type Ref, useImperativeHandle } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { createTestPage, frames, load, root, settle, state } from '../support/domReport.tsx';
import { problem } from '../support/virtualBackend.ts';

const minute = 60_000;
const code = () => root()?.getAttribute('data-code');

describe('what decides what a key shows', () => {
  it('is not a token that a function returns', async () => {
    const { backend, provider } = createTestPage();
    const page = (token: string) => (
      <EmbedProvider {...provider} headers={() => ({ authorization: token })}>
        <EmbeddedReport itemId={1042} />
      </EmbedProvider>
    );
    const { rerender } = render(page('one'));
    await settle();
    rerender(page('two'));
    await settle();
    expect(backend.requests).toHaveLength(1);
  });

  it('is the viewer: with `null`, nothing is requested and nothing is shown', async () => {
    const { backend, provider } = createTestPage();
    const page = (viewerKey: string | null) => (
      <EmbedProvider {...provider} viewerKey={viewerKey}>
        <EmbeddedReport itemId={1042} onAction={() => undefined} />
      </EmbedProvider>
    );
    const { rerender } = render(page('ann'));
    await settle();
    expect(frames()).toHaveLength(1);
    const { length } = backend.requests;
    rerender(page(null));
    await settle();
    expect([frames().length, state(), backend.requests.length]).toEqual([0, 'idle', length]);
  });
});

describe('a change that replaces a report', () => {
  it.each(['from lazy to eager', 'of the outer provider'])('%s shows a new frame', async (change) => {
    const { environment, provider } = createTestPage();
    const isLazyChange = change === 'from lazy to eager';
    const page = (isChanged: boolean) => (
      <EmbedProvider {...provider} viewerKey={isChanged && !isLazyChange ? 'bob' : 'ann'}>
        <EmbedProvider endpoint={provider.endpoint}>
          <EmbeddedReport itemId={1042} lazy={isLazyChange && !isChanged} />
        </EmbedProvider>
      </EmbedProvider>
    );
    const { container, rerender } = render(page(false));
    if (isLazyChange) act(() => environment.approach(container.querySelector('[data-state]')!));
    await settle();
    await load();
    const [before] = frames();
    rerender(page(true));
    await settle();
    expect(frames()).toHaveLength(1);
    expect(frames()[0]).not.toBe(before);
    await load();
    await act(() => environment.advance(minute));
    expect(state()).toBe('ready');
  });
});

describe('a viewer who signs in within the app', () => {
  const Controls = ({ handle }: { readonly handle: Ref<ReturnType<typeof useEmbed>> }) => {
    const controls = useEmbed();
    useImperativeHandle(handle, () => controls, [controls]);
    return null;
  };

  it('sees the reports after retryAll(), which leaves the others alone', async () => {
    const { backend, environment, provider } = createTestPage();
    const handle = createRef<ReturnType<typeof useEmbed>>();
    let isSignedIn = false;
    backend.respond = ({ body, url }) => {
      const { itemId } = body as { itemId: number };
      const key = { itemId, key: 'k', tenantUrl: 'https://acme.example', lifetimeMs: 60 * minute };
      return isSignedIn || itemId === 1 ? Response.json(key) : problem(401, url && 'signed_out');
    };
    render(
      <EmbedProvider {...provider}>
        <Controls handle={handle} />
        {[1, 2, 3].map((itemId) => (
          <EmbeddedReport key={itemId} itemId={itemId} />
        ))}
      </EmbedProvider>,
    );
    await settle();
    expect(frames()).toHaveLength(1);
    isSignedIn = true;
    act(() => handle.current?.retryAll());
    await act(() => environment.advance(1_000));
    expect([frames().length, backend.requests.length]).toEqual([3, 3 + 2]);
  });

  it('is asked to by a redirect of the key request to another path, which is final', async () => {
    const { backend, environment, report } = createTestPage();
    backend.respond = ({ url }) =>
      Object.defineProperties(new Response('<html>', { headers: { 'content-type': 'text/html' } }), {
        redirected: { value: true },
        url: { value: new URL('/login', new URL(url, 'https://host.example')).href },
      });
    render(report());
    await settle();
    expect(code()).toBe('signed_out');
    await act(() => environment.advance(5 * minute));
    expect(backend.requests).toHaveLength(1);
  });

  it('is not asked to by a redirect to the same path with a slash', async () => {
    const { backend, report } = createTestPage();
    backend.respond = ({ url }) =>
      Object.defineProperties(new Response('<html>', { status: 502 }), {
        redirected: { value: true },
        url: { value: `${new URL(url, 'https://host.example').href}/` },
      });
    render(report());
    await settle();
    expect(code()).toBe('http_502');
  });
});

it('sends six key requests at a time, each with ten seconds of its own', async () => {
  const { backend, environment, provider } = createTestPage();
  const answers: (() => void)[] = [];
  const { fetch } = backend;
  const slow: typeof globalThis.fetch = async (...request) => {
    await new Promise<void>((resolve) => answers.push(resolve));
    return fetch(...request);
  };
  render(
    <EmbedProvider {...provider} fetch={slow}>
      {Array.from({ length: 12 }, (_, index) => (
        <EmbeddedReport key={index} itemId={index + 1} />
      ))}
    </EmbedProvider>,
  );
  await settle();
  expect(answers).toHaveLength(6);
  await act(() => environment.advance(8_000));
  for (const answer of answers.splice(0)) answer();
  await settle();
  expect(answers).toHaveLength(6);
  // Sixteen seconds after the page asked for them.
  await act(() => environment.advance(8_000));
  for (const answer of answers) answer();
  await settle();
  expect(document.querySelectorAll('[data-code]')).toHaveLength(0);
  expect(frames()).toHaveLength(12);
});

it('calls the callbacks of a report and of its provider', async () => {
  const { backend, provider } = createTestPage();
  backend.respond = () => problem(503, 'portal_unavailable');
  const told: string[] = [];
  render(
    <EmbedProvider
      {...provider}
      onError={({ code }, { itemId }) => told.push(`provider ${itemId} ${code}`)}
      onStateChange={({ status }) => told.push(`provider ${status}`)}
    >
      <EmbeddedReport
        itemId={1042}
        onError={({ code }) => told.push(`report ${code}`)}
        onStateChange={({ status }) => told.push(`report ${status}`)}
      />
    </EmbedProvider>,
  );
  await settle();
  expect(told).toEqual([
    'report failed',
    'provider failed',
    'report portal_unavailable',
    'provider 1042 portal_unavailable',
  ]);
});

it('is requested again by `retry` of the ref', async () => {
  const { backend, environment, page } = createTestPage();
  backend.respond = () => problem(404, 'report_unavailable');
  const handle = createRef<EmbeddedReportHandle>();
  render(page(<EmbeddedReport itemId={1042} ref={handle} />));
  await settle();
  backend.respond = undefined;
  act(() => handle.current?.retry());
  await act(() => environment.advance(1_000));
  expect(frames()).toHaveLength(1);
});

it('sets the class name of `frameProps` on the iframe', async () => {
  const { report } = createTestPage();
  render(report({ frameProps: { className: 'mine' } }));
  await settle();
  expect(frames()[0]).toHaveClass('vitrine-frame', 'mine');
});

describe('a viewer who returns', () => {
  it('after minutes with a valid key keeps the frame while access is checked', async () => {
    const { backend, environment, report } = createTestPage();
    render(report());
    await settle();
    await load();
    const [shown] = frames();
    await act(async () => environment.setVisible(false));
    await act(() => environment.advance(10 * minute));
    await act(async () => environment.setVisible(true));
    await settle();
    expect(backend.requests).toHaveLength(2);
    expect(frames()).toEqual([shown]);
    expect(state()).toBe('ready');
    // The key that proved access serves the renewal.
    await act(() => environment.advance(39 * minute));
    await load();
    expect(frames()[0]?.src).toContain('key%2B2');
    expect(backend.requests).toHaveLength(2);
  });

  it('from the back/forward cache sees no report before access is checked', async () => {
    const { backend, environment, report } = createTestPage();
    render(report());
    await settle();
    await load();
    const [shown] = frames();
    const { promise, resolve } = Promise.withResolvers<Response>();
    backend.respond = () => promise;
    await act(() => environment.advance(minute));
    await act(async () => environment.emit('pagehide', { persisted: true }));
    expect([shown?.isConnected, state()]).toEqual([false, 'loading']);
    await act(async () => environment.emit('pageshow', { persisted: true }));
    expect([frames().length, state()]).toEqual([0, 'loading']);
    resolve(problem(401, 'signed_out'));
    await settle();
    expect([frames().length, code()]).toEqual([0, 'signed_out']);
  });

  it('from the back/forward cache gets the report of whoever is signed in now', async () => {
    const { environment, report } = createTestPage();
    render(report());
    await settle();
    await load();
    const [shown] = frames();
    await act(() => environment.advance(minute));
    await act(async () => environment.emit('pagehide', { persisted: true }));
    await act(async () => environment.emit('pageshow', { persisted: true }));
    await settle();
    await load();
    expect([frames().length, state()]).toEqual([1, 'ready']);
    expect(frames()[0]?.src).not.toBe(shown?.src);
  });
});

describe("a frame that the page's policy blocks at an address that it was not given", () => {
  const block = (environment: ReturnType<typeof createTestPage>['environment']) =>
    act(async () =>
      environment.emit('securitypolicyviolation', {
        effectiveDirective: 'frame-src',
        disposition: 'enforce',
        blockedURI: 'https://login.example',
      }),
    );

  it('fails with that origin if only one frame can be meant', async () => {
    const { environment, report } = createTestPage();
    const errors: EmbedError[] = [];
    render(report({ onError: (error) => errors.push(error) }));
    await settle();
    await block(environment);
    expect(errors).toMatchObject([{ code: 'frame_blocked', origin: 'https://login.example' }]);
  });

  it('is none of ours if none, or more than one, is loading', async () => {
    const { environment, page } = createTestPage();
    const onError = vi.fn<() => void>();
    render(
      page(
        <>
          <EmbeddedReport itemId={1042} onError={onError} />
          <EmbeddedReport itemId={1043} onError={onError} />
        </>,
      ),
    );
    await settle();
    await block(environment);
    for (const frame of frames()) await act(async () => void fireEvent.load(frame));
    await block(environment);
    expect(onError).not.toHaveBeenCalled();
  });
});

it('requests nothing after its container has left the page without React', async () => {
  const { backend, environment, report } = createTestPage();
  const { container } = render(report());
  await settle();
  await load();
  container.remove();
  await act(() => environment.advance(120 * minute));
  expect(backend.requests).toHaveLength(1);
});
