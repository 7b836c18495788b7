import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { VitrineDevtools } from '@vitrine/react/devtools';
import { createFakeEmbed } from '@vitrine/react/testing';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it, onTestFinished, vi } from 'vitest';
import { streamStatuses } from '../../src/react/lib/actions.ts';

const openPanel = () => {
  fireEvent.click(screen.getByRole('button', { name: 'Vitrine devtools' }));
  return screen.getByRole('region', { name: 'Vitrine devtools' });
};

it('ends a simulated failure when the devtools unmount', async () => {
  const fake = createFakeEmbed();
  const page = (tools: boolean) => (
    <StrictMode>
      <EmbedProvider {...fake.provider}>
        <EmbeddedReport itemId={1042} />
        {tools && <VitrineDevtools />}
      </EmbedProvider>
    </StrictMode>
  );
  const pass = (ms: number) => act(async () => fake.advance(ms));
  const state = () => document.querySelector('[data-state]')?.getAttribute('data-state');
  const { rerender } = render(page(true));
  await pass(0);
  await act(async () => fake.load());
  await pass(20_000);
  expect(fake.requests).toHaveLength(1);
  openPanel();
  fireEvent.click(screen.getByRole('button', { name: 'Simulate: Offline' }));
  await pass(20_000);
  expect(state()).toBe('degraded');
  rerender(page(false));
  for (let turn = 0; turn < 3; turn += 1) await pass(2_000);
  await act(async () => fake.load());
  expect(state()).toBe('ready');
  fake.close();
});

it('shows the age of a key, its renewal and its expiration', async () => {
  const fake = createFakeEmbed();
  onTestFinished(() => fake.close());
  render(
    <EmbedProvider {...fake.provider}>
      <EmbeddedReport itemId={1042} />
      <VitrineDevtools />
    </EmbedProvider>,
  );
  await act(async () => fake.advance(0));
  await act(async () => fake.load());
  await act(async () => fake.advance(60_000));
  const [, age, renewal, end] =
    /Key: (\d+) s old, renewal in (\d+) s, expires in (\d+) s/.exec(openPanel().textContent) ?? [];
  expect(age).toBe('60');
  expect(Number(renewal)).toBeLessThan(Number(end));
});

it('shows the newest ten errors with their request IDs, and the status of each action stream', async () => {
  streamStatuses.set('/api/embed', 'buffered');
  const fake = createFakeEmbed();
  fake.answer('report_unavailable');
  onTestFinished(() => {
    streamStatuses.clear();
    fake.close();
  });
  render(
    <EmbedProvider {...fake.provider}>
      {Array.from({ length: 12 }, (_, index) => (
        <EmbeddedReport key={index} itemId={index + 1} />
      ))}
      <VitrineDevtools />
    </EmbedProvider>,
  );
  const panel = openPanel();
  await waitFor(() => expect(panel.textContent).toContain('report 12: report_unavailable'), {
    timeout: 5000,
  });
  expect(panel.textContent).toContain('/api/embed: buffered');
  expect(panel.querySelectorAll('ul:last-of-type li')).toHaveLength(10);
  expect(panel.textContent).not.toContain('report 2: report_unavailable');
});

it('shows an error that occurred before the devtools were loaded', async () => {
  vi.resetModules();
  const [react, testing] = await Promise.all([import('@vitrine/react'), import('@vitrine/react/testing')]);
  const fake = testing.createFakeEmbed();
  onTestFinished(() => fake.close());
  fake.answer('report_unavailable');
  render(
    <react.EmbedProvider {...fake.provider}>
      <react.EmbeddedReport itemId={1042} />
    </react.EmbedProvider>,
  );
  await act(async () => fake.advance(0));
  const tools = await import('@vitrine/react/devtools');
  render(<tools.VitrineDevtools />);
  const shown = openPanel().textContent;
  expect(shown).toContain('Action streamNone.');
  expect(shown).toMatch(/1042: failed \(report_unavailable\).*report 1042: report_unavailable/);
});

it('renders nothing on a server', () => {
  expect(renderToString(<VitrineDevtools />)).toBe('');
});
