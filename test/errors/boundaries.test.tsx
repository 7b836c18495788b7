import { act, render, screen } from '@testing-library/react';
import { EmbeddedReport } from '@vitrine/react';
import { Component, lazy, type ReactNode, StrictMode, Suspense, startTransition, useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { createTestPage, frames, load, settle, state } from '../support/domReport.tsx';
import { problem } from '../support/virtualBackend.ts';

const minute = 60_000;

/** A component that is still loading, and a function that completes the load. */
const loadingComponent = () => {
  let arrive = () => {};
  const code = new Promise<{ default: () => ReactNode }>((resolve) => {
    arrive = () => resolve({ default: () => <p>Next to the report</p> });
  });
  return { Late: lazy(() => code), arrive: () => act(async () => arrive()) };
};

interface BoundaryProps {
  readonly children: ReactNode;
}

/** A host's error boundary, as in the React documentation. */
class Boundary extends Component<BoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };
  static getDerivedStateFromError = () => ({ hasFailed: true });
  override render() {
    return this.state.hasFailed ? (
      <button type="button" onClick={() => this.setState({ hasFailed: false })}>
        Start over
      </button>
    ) : (
      this.props.children
    );
  }
}

const press = (name: string) => act(async () => screen.getByRole('button', { name }).click());

describe('a report in a Suspense boundary', () => {
  it('appears with a slow sibling, with one key and one frame', async () => {
    const { backend, page } = createTestPage();
    const { Late, arrive } = loadingComponent();
    render(
      page(
        <Suspense fallback={<p>One moment</p>}>
          <EmbeddedReport itemId={1042} />
          <Late />
        </Suspense>,
      ),
    );
    await settle();
    expect(screen.getByText('One moment')).toBeVisible();
    await arrive();
    await settle();
    await load();
    expect(state()).toBe('ready');
    expect([backend.requests.length, frames().length]).toEqual([1, 1]);
  });

  it('keeps its frame while a sibling that suspends later hides the boundary', async () => {
    const { backend, environment, page } = createTestPage();
    const { Late, arrive } = loadingComponent();
    const Host = () => {
      const [isOpen, setOpen] = useState(false);
      return (
        <>
          <button type="button" onClick={() => setOpen(true)}>
            Open
          </button>
          <Suspense fallback={<p>One moment</p>}>
            <EmbeddedReport itemId={1042} />
            {isOpen && <Late />}
          </Suspense>
        </>
      );
    };
    render(page(<Host />));
    await settle();
    await load();
    const [frame] = frames();
    await press('Open');
    expect(screen.getByText('One moment')).toBeVisible();
    expect(frame).not.toBeVisible();
    expect(frames()).toEqual([frame]);
    await act(() => environment.advance(50 * minute));
    expect(backend.requests).toHaveLength(2);
    await arrive();
    expect(screen.getByText('Next to the report')).toBeVisible();
    // React commits nothing behind a fallback, so the successor starts to load now; the report itself exists.
    expect(frames()[0]).toBe(frame);
    expect(frame).toBeVisible();
    await load();
    expect(frames()).toHaveLength(1);
    expect(frames()[0]).not.toBe(frame);
    expect(state()).toBe('ready');
  });

  it('stays visible during a transition to something that suspends', async () => {
    const { backend, page } = createTestPage();
    const { Late, arrive } = loadingComponent();
    const Host = () => {
      const [isOpen, setOpen] = useState(false);
      return (
        <>
          <button type="button" onClick={() => startTransition(() => setOpen(true))}>
            Open
          </button>
          <Suspense fallback={<p>One moment</p>}>
            <EmbeddedReport itemId={1042} />
            {isOpen && <Late />}
          </Suspense>
        </>
      );
    };
    render(page(<Host />));
    await settle();
    await load();
    const [frame] = frames();
    await press('Open');
    expect(frame).toBeVisible();
    await arrive();
    expect(screen.getByText('Next to the report')).toBeVisible();
    expect(frames()).toEqual([frame]);
    expect(backend.requests).toHaveLength(1);
  });

  it('keeps its frame while a transition to another report is pending and the host rerenders', async () => {
    const { backend, page } = createTestPage();
    const { Late, arrive } = loadingComponent();
    const Host = () => {
      const [itemId, setItemId] = useState(1042);
      const [title, setTitle] = useState('Sales');
      return (
        <>
          <button type="button" onClick={() => startTransition(() => setItemId(7))}>
            Change
          </button>
          <button type="button" onClick={() => setTitle('Sales by region')}>
            Rename
          </button>
          <Suspense fallback={<p>One moment</p>}>
            <EmbeddedReport itemId={itemId} title={title} />
            {itemId === 7 && <Late />}
          </Suspense>
        </>
      );
    };
    render(page(<Host />));
    await settle();
    await load();
    const [frame] = frames();
    await press('Change');
    await press('Rename');
    expect(frame).toHaveAttribute('title', 'Sales by region');
    expect(frames()).toEqual([frame]);
    expect(backend.requests).toHaveLength(1);
    await arrive();
    await settle();
    expect(frames()).toHaveLength(1);
    expect(frames()[0]).not.toBe(frame);
    expect(backend.requests.at(-1)?.body).toEqual({ itemId: 7 });
  });
});

describe('a report in an error boundary', () => {
  it('never triggers the boundary with its own errors', async () => {
    const { backend, page } = createTestPage();
    backend.respond = () => problem(404, 'report_unavailable');
    render(
      page(
        <Boundary>
          <EmbeddedReport itemId={1042} />
          <EmbeddedReport itemId={-1} />
          <EmbeddedReport itemId={Number.NaN} />
        </Boundary>,
      ),
    );
    await settle();
    expect(screen.getAllByRole('alert')).toHaveLength(3);
    expect(screen.queryByRole('button', { name: 'Start over' })).toBeNull();
  });

  it('leaves nothing behind when a sibling throws, and returns with a new key', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {}); // React's own report of the error that the host threw
    const { backend, environment, page } = createTestPage();
    const Fragile = () => {
      const [isBroken, setBroken] = useState(false);
      if (isBroken) throw new Error('A mistake of the host.');
      return (
        <button type="button" onClick={() => setBroken(true)}>
          Break
        </button>
      );
    };
    render(
      page(
        <Boundary>
          <EmbeddedReport itemId={1042} />
          <Fragile />
        </Boundary>,
      ),
    );
    await settle();
    await load();
    await press('Break');
    await settle();
    expect(frames()).toEqual([]);
    expect([environment.timerCount, environment.listenerCount]).toEqual([0, 0]);
    await press('Start over');
    await act(() => environment.advance(1_000));
    await load();
    expect(state()).toBe('ready');
    expect(backend.requests).toHaveLength(2);
  });

  it('lets the boundary catch an error thrown in a slot, and leaves nothing behind', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { backend, environment, page } = createTestPage();
    backend.respond = () => problem(404, 'report_unavailable');
    const error = () => {
      throw new Error('A slot that throws.');
    };
    render(
      page(
        <Boundary>
          <EmbeddedReport itemId={1042} renderError={error} />
        </Boundary>,
      ),
    );
    await settle();
    await settle();
    expect(screen.getByRole('button', { name: 'Start over' })).toBeVisible();
    expect([environment.timerCount, environment.listenerCount]).toEqual([0, 0]);
  });
});

describe('StrictMode', () => {
  it('changes nothing: one key and one frame, around the page or around the report', async () => {
    const { backend, environment, page } = createTestPage();
    render(
      page(
        <StrictMode>
          <EmbeddedReport itemId={1042} />
        </StrictMode>,
      ),
    );
    await settle();
    await load();
    expect([backend.requests.length, frames().length, environment.timerCount]).toEqual([1, 1, 1]);
    await act(() => environment.advance(50 * minute));
    await load();
    expect([backend.requests.length, frames().length, environment.timerCount]).toEqual([2, 1, 1]);
  });
});
