import { act, render } from '@testing-library/react';
import { type ActionStreamStatus, EmbedProvider, useReportActions } from '@vitrine/react';
import type { ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import { createVirtualEnvironment } from '../support/virtualEnvironment.ts';
import { createStreamBackend, sampleAction } from './streamBackend.ts';

interface ListenerProps {
  readonly onAction: (id: string) => void;
  readonly onStatus: (status: ActionStreamStatus) => void;
}

let count = 0;

const Listener = ({ onAction, onStatus }: ListenerProps): ReactNode => {
  useReportActions({}, ({ id }) => onAction(id), { onStatusChange: onStatus });
  return null;
};

/** A listener on a page. */
const listen = async (position = 100) => {
  const backend = createStreamBackend();
  const environment = createVirtualEnvironment();
  const pass = (ms: number) => act(() => environment.advance(ms));
  backend.state.position = position;
  const heard: string[] = [];
  const statuses: ActionStreamStatus[] = [];
  const { unmount } = render(
    <EmbedProvider fetch={backend.fetch} endpoint={`/api/outages-${++count}`}>
      <Listener onAction={(id) => heard.push(id)} onStatus={(status) => statuses.push(status)} />
    </EmbedProvider>,
  );
  await act(() => vi.dynamicImportSettled());
  await pass(0);
  const leave = async () => {
    unmount();
    await pass(2_000);
  };
  return { backend, pass, heard, statuses, leave };
};

it.each([404, 405])('reconnects after a plain %i of a proxy, which is an outage', async (status) => {
  const { backend, pass, heard, statuses, leave } = await listen();
  expect(statuses.at(-1)).toBe('open');
  backend.state.refuse = () => new Response('Not found', { status });
  backend.streams.at(-1)?.end();
  await pass(5_000);
  backend.state.refuse = undefined;
  // Not longer: this backend sends no heartbeats.
  for (let second = 0; second < 60 && statuses.at(-1) !== 'open'; second += 1) await pass(1000);
  expect(statuses.at(-1)).toBe('open');
  backend.send(117, sampleAction({ id: 'after' }));
  await pass(0);
  expect(heard).toEqual(['after']);
  await leave();
});

it('continues after an event whose position is not a number', async () => {
  const { backend, pass, heard, leave } = await listen(Number.NaN);
  backend.send(117, sampleAction({ id: 'after' }));
  await pass(0);
  expect(heard).toEqual(['after']);
  await leave();
});
