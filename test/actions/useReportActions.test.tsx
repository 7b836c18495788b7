import { act, fireEvent, render } from '@testing-library/react';
import {
  type ActionFilter,
  EmbeddedReport,
  EmbedProvider,
  type EmbedProviderProps,
  type ReportAction,
  useReportActions,
} from '@vitrine/react';
import { type ReactNode, StrictMode } from 'react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { problem } from '../support/virtualBackend.ts';
import { createVirtualEnvironment } from '../support/virtualEnvironment.ts';
import { createStreamBackend, sampleAction } from './streamBackend.ts';

const Listener = ({
  filter = {},
  onAction,
}: {
  readonly filter?: ActionFilter;
  readonly onAction: ((action: ReportAction) => void) | undefined;
}): ReactNode => {
  useReportActions(filter, onAction);
  return null;
};

let count = 0;

const setUp = () => {
  const backend = createStreamBackend();
  const environment = createVirtualEnvironment();
  const endpoint = `/api/actions-${++count}`;
  const page = (children: ReactNode, props: Partial<EmbedProviderProps> = {}) => (
    <StrictMode>
      <EmbedProvider fetch={backend.fetch} endpoint={endpoint} {...props}>
        {children}
      </EmbedProvider>
    </StrictMode>
  );
  const advance = (ms: number) => act(() => environment.advance(ms));
  /** Lets the stream's code load and sent actions arrive. */
  const settle = async () => {
    await act(() => vi.dynamicImportSettled());
    await advance(0);
    await advance(0);
  };
  return { backend, environment, page, advance, settle };
};

const frames = () => [...document.querySelectorAll('iframe')];

const broken = () => {
  throw new Error('broken listener');
};

const listening = async () => {
  const bench = setUp();
  const heard: string[] = [];
  render(bench.page(<Listener onAction={({ id }) => heard.push(id)} />));
  await bench.settle();
  return { ...bench, heard };
};

describe('listening to actions on a page', () => {
  it('opens one stream for all hooks and reports of the page', async () => {
    const { backend, page, settle } = setUp();
    render(
      page(
        <>
          <Listener onAction={() => undefined} />
          <Listener onAction={() => undefined} />
          <EmbeddedReport itemId={1042} onAction={() => undefined} />
          <EmbeddedReport itemId={1043} onAction={() => undefined} />
        </>,
      ),
    );
    await settle();
    expect(backend.streams).toHaveLength(1);
    expect(Object.fromEntries(backend.streams[0]!.headers)).toMatchObject({
      accept: 'text/event-stream',
      'x-vitrine-request': 'automatic',
    });
  });

  it('opens no stream when nothing listens for actions', async () => {
    const { backend, page, settle } = setUp();
    render(
      page(
        <>
          <EmbeddedReport itemId={1042} />
          <Listener onAction={undefined} />
        </>,
      ),
    );
    await settle();
    expect(backend.streams).toHaveLength(0);
  });

  it('gives each report its own actions, by the number or the GUID of the item', async () => {
    const { backend, page, settle } = setUp();
    const heard: Record<string, string[]> = {};
    const note = (who: string) => (action: ReportAction) => (heard[who] ??= []).push(action.id);
    const guid = sampleAction().reportId;
    render(
      page(
        <>
          <EmbeddedReport itemId={1042} onAction={note('report 1042')} />
          <EmbeddedReport itemId={1043} onAction={note('report 1043')} />
          <Listener filter={{ reportId: guid.toUpperCase() }} onAction={note('by GUID')} />
          <Listener filter={{ itemId: 1042, visual: 'totals' }} onAction={note('one visual')} />
          <Listener onAction={note('everything')} />
        </>,
      ),
    );
    await settle();
    backend.send(101, sampleAction({ id: '1' }));
    backend.send(102, sampleAction({ id: '2', itemId: 1043, reportId: 'another' }));
    backend.send(103, sampleAction({ id: '3', visual: 'totals' }));
    const { itemId: _, ...numbered } = sampleAction({ id: '4', reportId: '1043' });
    backend.send(104, numbered);
    await settle();
    expect(heard).toEqual({
      'report 1042': ['1', '3'],
      'report 1043': ['2', '4'],
      'by GUID': ['1', '3'],
      'one visual': ['3'],
      everything: ['1', '2', '3', '4'],
    });
  });

  it('calls the latest callback without reopening the stream', async () => {
    const { backend, page, settle } = setUp();
    const heard: string[] = [];
    const { rerender } = render(page(<Listener onAction={() => heard.push('old')} />));
    await settle();
    rerender(page(<Listener onAction={() => heard.push('new')} />));
    await settle();
    backend.send(101, sampleAction());
    await settle();
    expect(heard).toEqual(['new']);
    expect(backend.streams).toHaveLength(1);
  });

  it('closes the stream shortly after the last listener is removed', async () => {
    const { backend, page, settle, advance, environment } = setUp();
    const { unmount } = render(page(<Listener onAction={() => undefined} />));
    await settle();
    unmount();
    await advance(500);
    expect(backend.openCount).toBe(1);
    await advance(600);
    expect(backend.openCount).toBe(0);
    expect(environment.listenerCount).toBe(0);
    expect(environment.timerCount).toBe(0);
  });

  it('reloads the report when an action says that its data has changed', async () => {
    const { backend, page, settle } = setUp();
    const onAction = vi.fn<(action: ReportAction) => void>();
    render(page(<EmbeddedReport itemId={1042} onAction={onAction} />));
    await settle();
    const [shown] = frames();
    await act(async () => void fireEvent.load(shown!));
    backend.send(101, sampleAction({ refresh: true, message: 'Saved.' }));
    await settle();
    expect(onAction).toHaveBeenCalledWith(expect.objectContaining({ message: 'Saved.' }));
    expect(frames()).toHaveLength(2);
    await act(async () => void fireEvent.load(frames()[1]!));
    expect(frames()).toHaveLength(1);
    expect(frames()[0]).not.toBe(shown);
  });

  it('leaves out an action that a newer click has superseded, and reloads the report if it says so', async () => {
    const { backend, page, settle } = setUp();
    const shown: (string | undefined)[] = [];
    render(page(<EmbeddedReport itemId={1042} onAction={({ message }) => shown.push(message)} />));
    await settle();
    await act(async () => void fireEvent.load(frames()[0]!));
    backend.send(101, sampleAction({ id: '2', message: 'South' }));
    backend.send(102, sampleAction({ id: '1', message: 'North', refresh: true, isSuperseded: true }));
    await settle();
    expect(shown).toEqual(['South']);
    expect(frames()).toHaveLength(2);
  });

  it('delivers an action to all listeners even if one throws', async () => {
    const { backend, page, settle } = setUp();
    const reported = vi.fn<(error: unknown) => void>();
    vi.stubGlobal('reportError', reported);
    onTestFinished(() => void vi.unstubAllGlobals());
    const heard = vi.fn<(action: ReportAction) => void>();
    render(
      page(
        <>
          <Listener onAction={broken} />
          <Listener onAction={heard} />
        </>,
      ),
    );
    await settle();
    backend.send(101, sampleAction());
    await settle();
    expect(heard).toHaveBeenCalledOnce();
    expect(reported).toHaveBeenCalledOnce();
  });
});

describe('the code of the stream, which is loaded on first use', () => {
  const chunk = '../../src/react/lib/actionStream.ts';
  /** The network loads the chunk only at the third attempt. */
  const loseChunk = () => {
    const load = vi
      .fn<() => Promise<object>>(() => vi.importActual(chunk))
      .mockRejectedValueOnce(new TypeError('no network'))
      .mockRejectedValueOnce(new TypeError('no network'));
    vi.doMock(chunk, load);
    onTestFinished(() => vi.doUnmock(chunk));
    return load;
  };

  it('is requested again after a failed load', async () => {
    const load = loseChunk();
    const { backend, page, advance, settle } = setUp();
    render(page(<EmbeddedReport itemId={1042} onAction={() => undefined} />));
    await settle();
    for (const pauseMs of [2_000, 3_000]) {
      expect(backend.streams).toHaveLength(0);
      await advance(pauseMs);
      await settle();
    }
    expect(load).toHaveBeenCalledTimes(3);
    expect(backend.openCount).toBe(1);
  });

  it('is not requested again without listeners', async () => {
    const load = loseChunk();
    const { environment, page, settle } = setUp();
    const { unmount } = render(page(<EmbeddedReport itemId={1042} onAction={() => undefined} />));
    await settle();
    expect(load).toHaveBeenCalledOnce();
    unmount();
    await settle();
    expect(environment.timerCount).toBe(0);
  });
});

describe('an interrupted action stream', () => {
  it('reconnects within seconds and requests missed actions', async () => {
    const { backend, advance, settle, heard } = await listening();
    backend.send(117, sampleAction({ id: '1' }));
    await settle();
    backend.streams[0]!.end();
    await settle();
    await advance(2000);
    await settle();
    expect(backend.streams).toHaveLength(2);
    expect(backend.streams[1]!.headers.get('last-event-id')).toBe('117');
    backend.streams[1]!.send(
      `id: 117\nevent: action\ndata: ${JSON.stringify(sampleAction({ id: '1' }))}\n\n`,
    );
    backend.send(118, sampleAction({ id: '2' }));
    await settle();
    expect(heard).toEqual(['1', '2']);
  });

  it('is closed after two and a half heartbeats of silence', async () => {
    const { backend, advance, settle } = await listening();
    await advance(30_000);
    backend.streams[0]!.send(':\nid: 140\n\n');
    await settle();
    await advance(37_000);
    expect(backend.streams).toHaveLength(1);
    await advance(1000);
    await settle();
    expect(backend.streams).toHaveLength(2);
    expect(backend.streams[1]!.headers.get('last-event-id')).toBe('140');
    expect(backend.openCount).toBe(1);
  });

  it('reconnects at once when the page resumes', async () => {
    const { backend, environment, settle } = await listening();
    environment.sleep(3_600_000);
    act(() => environment.wake());
    await settle();
    expect(backend.streams).toHaveLength(2);
    expect(backend.openCount).toBe(1);
  });

  it('is closed while the page is hidden, and continues after the last action when it is shown again', async () => {
    const { backend, environment, advance, settle, heard } = await listening();
    backend.send(117, sampleAction({ id: '1' }));
    await settle();
    act(() => environment.setVisible(false));
    await settle();
    expect(backend.openCount).toBe(0);
    await advance(600_000);
    expect(backend.streams).toHaveLength(1);
    act(() => environment.setVisible(true));
    await settle();
    expect(backend.openCount).toBe(1);
    expect(backend.streams[1]!.headers.get('last-event-id')).toBe('117');
    backend.send(118, sampleAction({ id: '2' }));
    await settle();
    expect(heard).toEqual(['1', '2']);
  });

  it('opens no stream on a hidden page until it is shown', async () => {
    const { backend, environment, page, settle } = setUp();
    environment.setVisible(false);
    render(page(<Listener onAction={() => undefined} />));
    await settle();
    expect(backend.streams).toHaveLength(0);
    act(() => environment.setVisible(true));
    await settle();
    expect(backend.openCount).toBe(1);
  });

  it('backs off while the backend rejects, and reconnects at once when the viewer returns', async () => {
    const { backend, environment, advance, settle } = await listening();
    backend.state.refuse = () => new Response(null, { status: 401 });
    backend.streams[0]!.end();
    await settle();
    await advance(120_000);
    const tries = backend.streams.length;
    expect(tries).toBeGreaterThan(3);
    expect(tries).toBeLessThan(15);
    backend.state.refuse = undefined;
    act(() => environment.wake());
    await settle();
    expect(backend.streams.length).toBe(tries + 1);
  });

  it('is not requested again when the backend has no such route', async () => {
    const bench = setUp();
    bench.backend.state.refuse = () => problem(404, 'route_not_found');
    render(bench.page(<Listener onAction={() => undefined} />));
    await bench.settle();
    await bench.advance(600_000);
    act(() => bench.environment.wake());
    await bench.settle();
    expect(bench.backend.streams).toHaveLength(1);
  });

  it('uses the current headers for every request', async () => {
    const { backend, page, advance, settle } = setUp();
    let token = 'first';
    const headers = () => ({ authorization: `Bearer ${token}` });
    render(page(<Listener onAction={() => undefined} />, { headers }));
    await settle();
    token = 'second';
    backend.streams[0]!.end();
    await settle();
    await advance(2000);
    await settle();
    expect(backend.streams.map((stream) => stream.headers.get('authorization'))).toEqual([
      'Bearer first',
      'Bearer second',
    ]);
  });
});
