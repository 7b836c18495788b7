import type { Meta, StoryObj } from '@storybook/react-vite';
import { EmbeddedReport } from '@vitrine/react';
import { expect, waitFor } from 'storybook/test';

/**
 * Nothing here is scripted: the key comes from the real middleware, the report from a running portal. It is the portal
 * of `npm start` while that runs, and one of its own otherwise. A built Storybook has no backend: run `npm run storybook`.
 */
const meta = {
  tags: ['autodocs'],
  title: 'Components/EmbeddedReport/Live',
  component: EmbeddedReport,
  args: { itemId: 1042, title: 'Sales by region' },
  parameters: { scene: 'live' },
  render: (args) =>
    import.meta.env.PROD ? (
      <p className="host-panel">
        <span>
          These pages have no backend. Run <code>npm run storybook</code> in a clone of the repository to see
          this story with a portal behind it.
        </span>
      </p>
    ) : (
      <EmbeddedReport {...args} />
    ),
} satisfies Meta<typeof EmbeddedReport>;

export default meta;

const untilReady = async (canvasElement: HTMLElement) => {
  await waitFor(() => expect(canvasElement.querySelector('[data-state="ready"]')).not.toBeNull(), {
    timeout: 45_000, // the first story on a busy machine also waits for the portal to start
  });
};

/** The whole way: component, middleware, portal, report page. */
export const FromTheRunningPortal: StoryObj<typeof meta> = {
  play: async ({ canvasElement, canvas }) => {
    await untilReady(canvasElement);
    await expect(canvas.getByTitle('Sales by region')).toBeVisible();
  },
};
