import { act, fireEvent, render } from '@testing-library/react';
import { type ActionStreamStatus, EmbeddedReport, EmbedProvider, useReportActions } from '@vitrine/react';
import type { ReactNode } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { createVirtualEnvironment } from '../support/virtualEnvironment.ts';
import { createStreamBackend, sampleAction } from './streamBackend.ts';

let count = 0;

interface ListenerProps {
  readonly onAction: (id: string) => void;
  readonly onStatus?: (status: ActionStreamStatus) => void;
}

const Listener = ({ onAction, onStatus }: ListenerProps): ReactNode => {
  useReportActions({}, ({ id }) => onAction(id), { onStatusChange: onStatus });
  return null;
};

const setUp = () => {
  const backend = createStreamBackend();
  const environment = createVirtualEnvironment();
  const provider = { fetch: backend.fetch, endpoint: `/api/faults-${++count}` };
  const advance = (ms: number) => act(() => environment.advance(ms));
  const settle = async () => {
    await act(() => vi.dynamicImportSettled());
    await advance(0);
    await advance(0);
  };
  const heard: string[] = [];
  const statuses: ActionStreamStatus[] = [];
  const listener = (
    <EmbedProvider {...provider}>
      <Listener onAction={(id) => heard.push(id)} onStatus={(status) => statuses.push(status)} />
    </EmbedProvider>
  );
  return { backend, environment, provider, advance, settle, heard, statuses, listener };
};

describe('the action stream', () => {
  it('starts at the present for a new listener: old clicks are not replayed', async () => {
    const { backend, advance, settle, heard, listener } = setUp();
    const { unmount } = render(listener);
    await settle();
    backend.send(117, sampleAction({ id: 'first' }));
    await settle();
    unmount();
    await advance(2_000);
    render(listener);
    await settle();
    expect(backend.streams.at(-1)?.headers.get('last-event-id')).toBeNull();
    expect(heard).toEqual(['first']);
  });

  it("continues after the backend's positions restart", async () => {
    const { backend, advance, settle, heard, listener } = setUp();
    render(listener);
    await settle();
    backend.send(117, sampleAction({ id: 'before' }));
    await settle();
    // Its inbox was replaced: positions above its own are clamped to them.
    backend.state.clamp = 3;
    backend.streams.at(-1)?.end();
    await settle();
    await advance(3_000);
    await settle();
    backend.send(4, sampleAction({ id: 'after' }));
    await settle();
    expect(heard).toEqual(['before', 'after']);
  });

  it('is opened with the headers of a mounted provider', async () => {
    const { backend, provider, advance, settle, heard } = setUp();
    const listenAs = (token: string) => (
      <EmbedProvider {...provider} headers={() => ({ authorization: token })}>
        <Listener onAction={(id) => heard.push(id)} />
      </EmbedProvider>
    );
    render(listenAs('stays'));
    await settle();
    const { unmount } = render(listenAs('leaves'));
    await settle();
    unmount();
    await settle();
    backend.streams.at(-1)?.end();
    await settle();
    await advance(3_000);
    await settle();
    expect(backend.streams.map(({ headers }) => headers.get('authorization'))).toEqual(['stays', 'stays']);
  });

  it('reports its status, including a rejection', async () => {
    const { backend, advance, settle, statuses, listener } = setUp();
    backend.state.refuse = () => new Response(null, { status: 401 });
    render(listener);
    await settle();
    expect(statuses.at(-1)).toBe('refused');
    backend.state.refuse = undefined;
    // Not longer: this backend sends no heartbeats.
    for (let second = 0; second < 60 && statuses.at(-1) !== 'open'; second += 1) {
      await advance(1000);
      await settle();
    }
    expect(statuses.at(-1)).toBe('open');
    backend.streams.at(-1)?.end();
    await settle();
    expect(statuses.at(-1)).toBe('retrying');
  });

  it.each([
    ['the page of a development server', '<!doctype html>', 'text/html'],
    ['JSON', '{}', 'application/json'],
  ])('rejects %s as a stream, and retries with backoff', async (_, body, type) => {
    const { backend, advance, settle, statuses, listener } = setUp();
    backend.state.refuse = () => new Response(body, { headers: { 'content-type': type } });
    render(listener);
    await settle();
    for (let second = 0; second < 60; second += 1) {
      await advance(1000);
      await settle();
    }
    expect(new Set(statuses)).toEqual(new Set(['connecting', 'refused']));
    expect(backend.streams.length).toBeGreaterThan(2);
    expect(backend.streams.length).toBeLessThan(15);
  });

  it.each([429, 503])('waits as long as a response with status %s asks for', async (status) => {
    const { backend, advance, settle, statuses, listener } = setUp();
    backend.state.refuse = () => new Response(null, { status, headers: { 'retry-after': '20' } });
    render(listener);
    await settle();
    expect(statuses.at(-1)).toBe('retrying');
    await advance(19_000);
    await settle();
    expect(backend.streams).toHaveLength(1);
    await advance(2_000);
    await settle();
    expect(backend.streams).toHaveLength(2);
  });

  it('reports its status to a report', async () => {
    const { backend, provider, settle, statuses } = setUp();
    backend.state.refuse = () => new Response(null, { status: 403 });
    const { unmount } = render(
      <EmbedProvider {...provider}>
        <EmbeddedReport
          itemId={1042}
          onAction={() => undefined}
          onActionStatus={(status) => statuses.push(status)}
        />
      </EmbedProvider>,
    );
    await settle();
    expect(statuses).toEqual(['connecting', 'refused']);
    unmount();
    await settle();
    expect(statuses).toEqual(['connecting', 'refused']);
  });

  it('tells a report that it is closed once nobody is signed in', async () => {
    const { provider, settle, statuses } = setUp();
    const page = (viewerKey: string | null) => (
      <EmbedProvider {...provider} viewerKey={viewerKey}>
        <EmbeddedReport itemId={1042} onAction={vi.fn()} onActionStatus={(status) => statuses.push(status)} />
      </EmbedProvider>
    );
    const { rerender, unmount } = render(page('ann'));
    await settle();
    expect(statuses.at(-1)).toBe('open');
    rerender(page(null));
    await settle();
    expect(statuses.at(-1)).toBe('closed');
    unmount();
  });

  it('coalesces reloads and shows the new data after each load', async () => {
    const { backend, provider, settle } = setUp();
    render(
      <EmbedProvider {...provider}>
        <EmbeddedReport itemId={1042} onAction={() => undefined} />
      </EmbedProvider>,
    );
    await settle();
    const frames = () => [...document.querySelectorAll('iframe')];
    const load = (frame: HTMLIFrameElement | undefined) =>
      act(async () => void (frame && fireEvent.load(frame)));
    await load(frames()[0]);
    const shown: (HTMLIFrameElement | undefined)[] = [];
    for (let round = 0; round < 3; round += 1) {
      let standby: HTMLIFrameElement | undefined;
      for (let second = 0; second < 5; second += 1) {
        backend.send(101 + round * 10 + second, sampleAction({ id: `${round} ${second}`, refresh: true }));
        await settle();
        standby ??= frames()[1];
        // A frame that is replaced every second would never load.
        expect(frames().slice(1)).toEqual([standby]);
      }
      await load(standby);
      expect(frames()[0]).toBe(standby);
      shown.push(standby);
    }
    expect(new Set(shown).size).toBe(3);
  });
});

describe('a proxy that buffers the stream', () => {
  const greeting = 'id: 100\nevent: hello\ndata: {"heartbeatMs":15000}\n\n';

  it.each([
    // The proxy sends nothing before the response has ended, not even its headers.
    ['from the start', 5_000, () => new Promise<Response>(() => undefined), ['connecting', 'buffered']],
    [
      'after its first chunk',
      37_600,
      async () => {
        const piece = new TextEncoder().encode(greeting);
        const body = new ReadableStream({ start: (controller) => controller.enqueue(piece) });
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
      },
      ['connecting', 'open', 'buffered'],
    ],
  ])('%s is reported', async (...[, noticedMs, hold, seen]) => {
    const { provider, advance, settle, statuses } = setUp();
    render(
      <EmbedProvider {...provider} fetch={hold}>
        <Listener onAction={() => undefined} onStatus={(status) => statuses.push(status)} />
      </EmbedProvider>,
    );
    await settle();
    await advance(noticedMs);
    expect(statuses).toEqual(seen);
  });

  it('is not taken for a backend that answers slowly', async () => {
    const { backend, provider, advance, settle, heard, statuses } = setUp();
    const slow: typeof fetch = async (input, init) => {
      await new Promise((resolve) => setTimeout(resolve, 6_000));
      return backend.fetch(input, init);
    };
    render(
      <EmbedProvider {...provider} fetch={slow}>
        <Listener onAction={(id) => heard.push(id)} onStatus={(status) => statuses.push(status)} />
      </EmbedProvider>,
    );
    await settle();
    await advance(7_000);
    backend.send(101, sampleAction({ id: '101' }));
    await settle();
    expect(statuses.at(-1)).toBe('open');
    expect(heard).toEqual(['101']);
  });
});

describe.each([
  ['pagehide', 'pageshow'],
  ['freeze', 'resume'],
])('a page that fires %s', (leaving, returning) => {
  it(`closes its stream until ${returning}`, async () => {
    const { backend, environment, settle, listener } = setUp();
    render(listener);
    await settle();
    act(() => environment.emit(leaving));
    await settle();
    expect(backend.openCount).toBe(0);
    act(() => environment.emit(returning));
    await settle();
    expect(backend.openCount).toBe(1);
  });
});
