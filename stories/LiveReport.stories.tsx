import type { Meta, StoryObj } from '@storybook/react-vite';
import { EmbeddedReport } from '@vitrine/react';
import { expect, waitFor } from 'storybook/test';
import { shownCode } from './scene/shownCode.ts';

/**
 * A report page of the development portal, live: the key comes from the real middleware, and the report from a running
 * portal. Only `npm run storybook` in a clone of the repository has this page.
 */
const meta = {
  tags: ['autodocs'],
  title: 'Components/EmbeddedReport/Live',
  component: EmbeddedReport,
  args: { itemId: 1042, title: 'Sales by region', height: 900 },
  parameters: {
    scene: 'live',
    docs: {
      source: { code: shownCode('<EmbeddedReport itemId={1042} title="Sales by region" height={900} />') },
    },
  },
} satisfies Meta<typeof EmbeddedReport>;

export default meta;

const untilReady = async (canvasElement: HTMLElement) => {
  await waitFor(() => expect(canvasElement.querySelector('[data-state="ready"]')).not.toBeNull(), {
    timeout: 45_000, // the first story on a busy machine also waits for the portal to start
  });
};

/** The report with its filters and charts. Choose a channel or a region in it. */
export const FromTheRunningPortal: StoryObj<typeof meta> = {
  play: async ({ canvasElement, canvas }) => {
    await untilReady(canvasElement);
    await expect(canvas.getByTitle('Sales by region')).toBeVisible();
  },
};
