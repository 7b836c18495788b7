import { act, fireEvent, render, screen } from '@testing-library/react';
import { EmbeddedReport, type EmbeddedReportHandle } from '@vitrine/react';
import { createRef } from 'react';
import { describe, expect, it } from 'vitest';
import { createTestPage, frames, settle, state } from '../support/domReport.tsx';
import { problem } from '../support/virtualBackend.ts';

const second = 1_000;
const minute = 60 * second;

/** A page whose backend waits for the test before it responds. */
const createSlowPage = () => {
  const page = createTestPage();
  const waiting: ((answer: Response) => void)[] = [];
  page.backend.respond = () => new Promise((resolve) => waiting.push(resolve));
  return {
    ...page,
    /** Answers the current request; afterward keys arrive at once. */
    answer: (response: Response) =>
      act(async () => {
        page.backend.respond = undefined;
        waiting.shift()?.(response);
        await settle();
      }),
    fail: () =>
      act(async () => {
        waiting.shift()?.(problem(503, 'portal_unavailable'));
        await settle();
      }),
  };
};

describe('a requested refresh during a key request that fails', () => {
  it('is made within a second after "Try again", not after the next backoff', async () => {
    const { backend, environment, report, answer, fail } = createSlowPage();
    render(report());
    await settle();
    await fail();
    await act(() => environment.advance(2 * second));
    expect(backend.requests).toHaveLength(2); // a request that nobody triggered
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await settle();
    expect(state()).toBe('loading');
    await answer(problem(503, 'portal_unavailable'));
    expect(state()).toBe('failed');
    await act(() => environment.advance(second));
    expect(backend.requests).toHaveLength(3);
    expect(frames()).toHaveLength(1);
  });

  it('is made after the viewer has just signed in, although the response was final', async () => {
    const { backend, environment, page, answer } = createSlowPage();
    const handle = createRef<EmbeddedReportHandle>();
    render(page(<EmbeddedReport itemId={1042} ref={handle} />));
    await settle();
    act(() => handle.current?.refresh());
    await answer(problem(401, 'signed_out')); // sent before the viewer signed in
    await act(() => environment.advance(second));
    expect(backend.requests).toHaveLength(2);
    expect(frames()).toHaveLength(1);
  });

  it('is made once, however often it is requested, and not at all when the request succeeds', async () => {
    for (const response of [problem(401, 'signed_out'), undefined]) {
      const { backend, environment, page, answer } = createSlowPage();
      const handle = createRef<EmbeddedReportHandle>();
      const { unmount } = render(page(<EmbeddedReport itemId={1042} ref={handle} />));
      await settle();
      act(() => {
        for (let times = 0; times < 5; times += 1) handle.current?.refresh();
      });
      const key = Response.json({
        itemId: 1042,
        key: 'key',
        tenantUrl: 'https://acme.example',
        lifetimeMs: 60 * minute,
        expiresAt: '',
      });
      await answer(response ?? key);
      await act(() => environment.advance(minute));
      expect(backend.requests).toHaveLength(response ? 2 : 1);
      unmount();
      await settle();
    }
  });

  it('control: without the new request, a final error is not retried and a backoff is kept', async () => {
    const { backend, environment, report, answer, fail } = createSlowPage();
    render(report());
    await settle();
    await fail();
    await act(() => environment.advance(2 * second));
    await fail();
    await act(() => environment.advance(second));
    expect(backend.requests).toHaveLength(2);
    await act(() => environment.advance(2 * second));
    expect(backend.requests).toHaveLength(3);
    await answer(problem(401, 'signed_out'));
    await act(() => environment.advance(30 * minute));
    expect(backend.requests).toHaveLength(3);
  });
});
