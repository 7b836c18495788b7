import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { VitrineDevtools } from '@vitrine/react/devtools';
import { createFakeEmbed } from '@vitrine/react/testing';
import { renderToString } from 'react-dom/server';
import { expect, it, onTestFinished, vi } from 'vitest';
import { streams } from '../../src/react/lib/page.ts';

const openPanel = () => {
  fireEvent.click(screen.getByRole('button', { name: 'Vitrine devtools' }));
  return screen.getByRole('region', { name: 'Vitrine devtools' });
};

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
    /Key: (\d+:\d\d) old, renewal in (\d+):\d\d, expires in (\d+):\d\d/.exec(openPanel().textContent) ?? [];
  expect(age).toMatch(/^1:0\d$/);
  expect(Number(renewal)).toBeLessThan(Number(end));
});

it('shows the newest twenty events with their codes, and the status of each action stream', async () => {
  const stop = () => undefined;
  streams.set('a', { endpoint: '/api/embed', getStatus: () => 'buffered', listen: () => stop });
  const fake = createFakeEmbed();
  fake.answer('report_unavailable');
  onTestFinished(() => {
    streams.clear();
    fake.close();
  });
  render(
    <EmbedProvider {...fake.provider}>
      {Array.from({ length: 22 }, (_, index) => (
        <EmbeddedReport key={index} itemId={index + 1} />
      ))}
      <VitrineDevtools />
    </EmbedProvider>,
  );
  const panel = openPanel();
  await waitFor(() => expect(panel.textContent).toContain('report 22: report_unavailable'), {
    timeout: 5000,
  });
  expect(panel.textContent).toContain('/api/embed: buffered');
  expect(panel.querySelectorAll('ol li')).toHaveLength(20);
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
  expect(shown).toMatch(/Report 1042: failed.*report 1042: report_unavailable/);
});

it('opens with the page when asked to, and closes', async () => {
  render(<VitrineDevtools defaultOpen />);
  expect(screen.getByRole('region', { name: 'Vitrine devtools' }).textContent).toContain(
    'None on this page.',
  );
  fireEvent.click(screen.getByRole('button', { name: 'Vitrine devtools' }));
  expect(screen.queryByRole('region')).toBeNull();
  expect(openPanel()).not.toBeNull();
});

it('renders nothing on a server', () => {
  expect(renderToString(<VitrineDevtools />)).toBe('');
});
