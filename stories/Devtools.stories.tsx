import type { Meta, StoryObj } from '@storybook/react-vite';
import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { VitrineDevtools } from '@vitrine/react/devtools';
import { createFakeEmbed, type FakeEmbed } from '@vitrine/react/testing';
import { expect, userEvent, waitFor } from 'storybook/test';
import { sampleReport } from './sampleReport.ts';

/**
 * `<VitrineDevtools />` shows every report on the page with its key, frames and last errors, and simulates failures.
 * Render it in development only.
 */
const meta = {
  title: 'Devtools',
  component: VitrineDevtools,
  loaders: [() => ({ fake: createFakeEmbed({ page: sampleReport }) })],
  render: (_, { loaded }) => (
    <EmbedProvider {...(loaded['fake'] as FakeEmbed).provider}>
      <EmbeddedReport itemId={1042} title="Sales by region" height={480} />
      <VitrineDevtools />
    </EmbedProvider>
  ),
} satisfies Meta<typeof VitrineDevtools>;

export default meta;

type Story = StoryObj<typeof meta>;

/** The panel is open, and a failure of the backend is simulated and taken back. */
export const Panel: Story = {
  play: async ({ canvas, canvasElement, loaded }) => {
    const fake = loaded['fake'] as FakeEmbed;
    // A report asks for a key at most every ten seconds.
    const press = async (name: string) => {
      fake.advance(11_000);
      await userEvent.click(canvas.getByRole('button', { name }));
    };
    const stateOf = () => canvasElement.querySelector('[data-state]')?.getAttribute('data-state');
    await userEvent.click(await canvas.findByRole('button', { name: 'Vitrine devtools' }, { timeout: 5000 }));
    await waitFor(() => expect(stateOf()).toBe('ready'), { timeout: 5000 });
    await press('Simulate: Backend error');
    await waitFor(() => expect(stateOf()).toBe('degraded'), { timeout: 5000 });
    await expect(
      await canvas.findByText(/internal_error \(request simulated\)/, {}, { timeout: 5000 }),
    ).toBeVisible();
    const namesOf = () => [...canvasElement.querySelectorAll('iframe')].map(({ name }) => name);
    const before = namesOf();
    await press('Stop: Backend error');
    await waitFor(
      () => {
        const names = namesOf();
        return expect(names.length === 1 && names[0] !== before[0]).toBe(true);
      },
      { timeout: 5000 },
    );
    await expect(stateOf()).toBe('ready');
    await press('Slow frame: report 1042');
    await waitFor(() => expect(stateOf()).toBe('failed'), { timeout: 5000 });
    await press('Renew now: report 1042');
    await waitFor(() => expect(stateOf()).toBe('ready'), { timeout: 5000 });
  },
};
