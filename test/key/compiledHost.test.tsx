import { act, render, screen } from '@testing-library/react';
import { EmbeddedReport, useEmbeddedReport, usePrefetchReport } from '@vitrine/react';
import { useEffect, useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { createTestPage, frames, load, settle } from '../support/domReport.tsx';

const minute = 60_000;

const seen = new Set<object>();

const Child = ({ value, onSeen }: { value: object; onSeen: (value: object) => void }) => {
  useEffect(() => {
    onSeen(value);
  });
  return null;
};

const Counter = () => {
  const [count, setCount] = useState(0);
  return (
    <>
      <button type="button" onClick={() => setCount(count + 1)}>
        Count {count}
      </button>
      <Child value={{ made: 'while rendering' }} onSeen={(value) => void seen.add(value)} />
    </>
  );
};

const Card = () => {
  const { root, state, frames: all } = useEmbeddedReport(1042);
  return (
    <div ref={root}>
      <output>{`${state.status}, ${all.length}, ${all.some(({ isVisible }) => isVisible) ? 'shown' : 'covered'}`}</output>
      {all.map(({ id, props }) => (
        <iframe key={id} title="Sales" {...props} />
      ))}
    </div>
  );
};

const heard = vi.fn<(count: number) => void>();

const Host = () => {
  const [count, setCount] = useState(0);
  const prefetch = usePrefetchReport();
  return (
    <>
      <button type="button" onClick={() => setCount(count + 1)} onFocus={() => void prefetch(7)}>
        Count
      </button>
      <EmbeddedReport itemId={1042} onLoad={() => heard(count)} style={{ margin: count }} />
    </>
  );
};

// The React Compiler has compiled these files and the library (see vite.config.ts).
describe('a host compiled with the React Compiler', () => {
  it('is compiled in these tests: values created while rendering stay the same', async () => {
    render(<Counter />);
    for (let count = 0; count < 3; count += 1)
      await act(async () => screen.getByRole('button', { name: `Count ${count}` }).click());
    // Without the compiler there would be four.
    expect(seen.size).toBe(1);
  });

  it('receives every state of the headless hook', async () => {
    const { environment, page } = createTestPage();
    render(page(<Card />));
    const says = () => screen.getByRole('status').textContent;
    expect(says()).toBe('loading, 0, covered');
    await settle();
    expect(says()).toBe('loading, 1, covered');
    await load();
    expect(says()).toBe('ready, 1, shown');
    await act(() => environment.advance(48 * minute + 10_000));
    expect(says()).toBe('refreshing, 2, shown');
    await load();
    expect(says()).toBe('ready, 1, shown');
  });

  it('receives calls in its latest callback, and keeps its frame', async () => {
    const { page } = createTestPage();
    render(page(<Host />));
    await settle();
    const [frame] = frames();
    for (let count = 0; count < 3; count += 1)
      await act(async () => screen.getByRole('button', { name: 'Count' }).click());
    await load();
    expect(heard.mock.calls).toEqual([[3]]);
    expect(frames()).toEqual([frame]);
  });
});
