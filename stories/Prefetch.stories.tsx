import type { Meta, StoryObj } from '@storybook/react-vite';
import { EmbeddedReport, EmbedProvider, usePrefetchReport } from '@vitrine/react';
import { createFakeEmbed, type FakeEmbed } from '@vitrine/react/testing';
import { useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { sampleReport } from './sampleReport.ts';

const reports = [
  [1042, 'Sales by region'],
  [1043, 'Order book'],
  [1044, 'Margins'],
] as const;

interface TabsProps {
  readonly onPrefetch: (itemId: number) => void;
}

/** Tabs whose reports are on their way before anybody clicks. */
const Tabs = ({ onPrefetch }: TabsProps) => {
  const [open, setOpen] = useState<number>();
  const prefetch = usePrefetchReport();
  const warm = (itemId: number) => {
    onPrefetch(itemId);
    void prefetch(itemId);
  };
  const title = reports.find(([itemId]) => itemId === open)?.[1];
  return (
    <div style={{ display: 'grid', gap: 16 }}>
      <nav aria-label="Reports" style={{ display: 'flex', flexWrap: 'wrap', gap: 8 }}>
        {reports.map(([itemId, name]) => (
          <button
            key={itemId}
            type="button"
            aria-pressed={itemId === open}
            className="host-button"
            onMouseEnter={() => warm(itemId)}
            onFocus={() => warm(itemId)}
            onClick={() => setOpen(itemId)}
          >
            {name}
          </button>
        ))}
      </nav>
      {open === undefined ? (
        <p className="host-muted" style={{ margin: 0 }}>
          Point at a report: its key is asked for. Click it: the frame starts at once.
        </p>
      ) : (
        <EmbeddedReport key={open} itemId={open} title={title} height={440} />
      )}
    </div>
  );
};

/**
 * `usePrefetchReport()` gives a function for `onMouseEnter` and `onFocus`: it asks for a report's key ahead of time, once
 * per report, and never throws. The report that is then mounted starts its frame without waiting for a request.
 */
const meta = {
  title: 'Prefetch on hover',
  component: Tabs,
  args: { onPrefetch: () => {} },
  loaders: [() => ({ fake: createFakeEmbed({ page: sampleReport }) })],
  render: ({ onPrefetch }, { loaded }) => (
    <EmbedProvider {...(loaded['fake'] as FakeEmbed).provider}>
      <Tabs onPrefetch={onPrefetch} />
    </EmbedProvider>
  ),
} satisfies Meta<typeof Tabs>;

export default meta;

/** Pointing at a tab asks for one key, pointing again for none, and the click finds it there. */
export const OnHoverOrFocus: StoryObj<typeof meta> = {
  play: async ({ canvasElement, canvas, loaded }) => {
    const { requests } = loaded['fake'] as FakeEmbed;
    const target = canvas.getByRole('button', { name: 'Sales by region' });
    await userEvent.hover(target);
    await waitFor(() => expect(requests).toEqual([1042]));
    await userEvent.unhover(target);
    await userEvent.hover(target);
    await userEvent.click(target);
    await waitFor(() => expect(canvasElement.querySelector('[data-state="ready"]')).not.toBeNull(), {
      timeout: 10_000,
    });
    await expect(requests).toEqual([1042]);
  },
};
