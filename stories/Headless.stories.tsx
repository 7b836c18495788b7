import type { Meta, StoryObj } from '@storybook/react-vite';
import { englishLabels } from '@vitrine/react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { OwnCard } from './examples/OwnCard.tsx';
import code from './examples/OwnCard.tsx?raw';
import { until } from './scene/expectations.ts';
import { stageOf } from './scene/onStage.tsx';
import { shownCode } from './scene/shownCode.ts';

/**
 * `useEmbeddedReport(itemId)` is the behavior of `<EmbeddedReport>` without its markup: the state as a discriminated
 * union, the frames with attributes to spread, and functions to renew them.
 */
const meta = {
  title: 'Hooks/useEmbeddedReport',
  component: OwnCard,
  args: { itemId: 1042 },
  parameters: { docs: { source: { code: shownCode(code) } } },
} satisfies Meta<typeof OwnCard>;

export default meta;

type Story = StoryObj<typeof meta>;

/** Your own card with a report. */
export const OwnFrame: Story = {
  play: async ({ canvasElement, canvas }) => {
    await until(canvasElement, 'ready');
    await expect(canvas.getByTitle('Sales by region')).toBeVisible();
  },
};

/** Your own button renews the report; the visible frame stays until the next one has loaded. */
export const RenewedByTheHost: Story = {
  tags: ['!autodocs'],
  play: async ({ canvasElement, canvas, loaded }) => {
    const { fake } = stageOf({ loaded });
    await until(canvasElement, 'ready');
    const [before] = fake.frames();
    fake.advance(60_000);
    await userEvent.click(canvas.getByRole('button', { name: 'Renew' }));
    await waitFor(() => expect(fake.requests).toHaveLength(2), { timeout: 10_000 });
    await waitFor(() => expect(fake.frames()[0]).not.toBe(before), { timeout: 10_000 });
    await until(canvasElement, 'ready');
    await expect(fake.frames()).toHaveLength(1);
  },
};

/** An error is also data: its `kind` selects the label; branch on its `code`. */
export const OwnError: Story = {
  parameters: { scene: { answer: 'report_unavailable' } },
  play: async ({ canvasElement, canvas }) => {
    await until(canvasElement, 'failed');
    await expect(canvas.getByText(englishLabels.report_unavailable.title)).toBeVisible();
  },
};
