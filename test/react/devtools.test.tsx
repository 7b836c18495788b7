import { act, fireEvent, render, screen } from '@testing-library/react';
import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { createFakeEmbed } from '@vitrine/react/testing';
import { StrictMode } from 'react';
import { expect, it } from 'vitest';
import { DevtoolsPanel } from '../../src/react/lib/devtools/DevtoolsPanel.tsx';

it('ends a simulated failure when the devtools go away: nothing else on the page would say why requests fail', async () => {
  const fake = createFakeEmbed();
  const page = (tools: boolean) => (
    <StrictMode>
      <EmbedProvider {...fake.provider}>
        <EmbeddedReport itemId={1042} />
        {tools && <DevtoolsPanel />}
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
  fireEvent.click(screen.getByRole('button', { name: 'Vitrine devtools' }));
  fireEvent.click(screen.getByRole('button', { name: 'Simulate: Offline' }));
  await pass(20_000);
  expect(state()).toBe('degraded');
  rerender(page(false));
  for (let turn = 0; turn < 3; turn += 1) await pass(2_000);
  await act(async () => fake.load());
  expect(state()).toBe('ready');
  fake.close();
});
