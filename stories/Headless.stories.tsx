import type { Meta, StoryObj } from '@storybook/react-vite';
import { EmbedProvider, englishLabels, type Labels, useEmbeddedReport } from '@vitrine/react';
import { createFakeEmbed, type FakeEmbed } from '@vitrine/react/testing';
import type { CSSProperties } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { sampleReport } from './sampleReport.ts';

interface OwnCardProps {
  readonly itemId: number;
  readonly labels?: Labels;
}

const bar: CSSProperties = {
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  padding: '10px 16px',
  borderBlockEnd: '1px solid var(--host-line)',
};
const dots: Record<string, string> = { ready: '#1f9d57', refreshing: '#2f6fed', degraded: '#c98a12' };

/** A card that a host draws for itself: its own bar, its own words, and the frames wherever it wants them. */
const OwnCard = ({ itemId, labels = englishLabels }: OwnCardProps) => {
  const { root, state, frames, refresh } = useEmbeddedReport(itemId);
  const { status, error } = state;
  const isShown = frames.some(({ isVisible }) => isVisible);
  return (
    <div ref={root} className="host-card" data-state={status}>
      <div style={bar}>
        <span
          aria-hidden
          style={{ width: 10, height: 10, borderRadius: '50%', background: dots[status] ?? '#8a94a6' }}
        />
        <strong style={{ flex: 1 }}>Sales by region</strong>
        <output className="host-muted">{status}</output>
        <button type="button" className="host-button" onClick={refresh}>
          Renew
        </button>
      </div>
      <div style={{ position: 'relative', height: 480 }}>
        {!isShown && (
          <p style={{ padding: 24, margin: 0 }}>
            {error ? `${labels[error.kind].title}. ${labels[error.kind].description}` : labels.loading}
          </p>
        )}
        {frames.map(({ id, isVisible, props }) => (
          <iframe
            key={id}
            {...props}
            title="Sales by region"
            style={{
              position: 'absolute',
              inset: 0,
              width: '100%',
              height: '100%',
              border: 0,
              visibility: isVisible ? 'visible' : 'hidden',
            }}
          />
        ))}
      </div>
    </div>
  );
};

/**
 * `useEmbeddedReport(itemId)` is the whole of `<EmbeddedReport>` without its looks: the state as a discriminated union,
 * the frames with attributes to spread, and the ways to renew them. Everything that is seen here belongs to the host.
 */
const meta = {
  title: 'Headless hook',
  component: OwnCard,
  args: { itemId: 1042 },
  loaders: [() => ({ fake: createFakeEmbed({ page: sampleReport }) })],
  render: ({ itemId }, { loaded }) => (
    <EmbedProvider {...(loaded['fake'] as FakeEmbed).provider}>
      <OwnCard itemId={itemId} />
    </EmbedProvider>
  ),
} satisfies Meta<typeof OwnCard>;

export default meta;

type Story = StoryObj<typeof meta>;

const until = (canvasElement: HTMLElement, state: string) =>
  waitFor(() => expect(canvasElement.querySelector(`[data-state="${state}"]`)).not.toBeNull(), {
    timeout: 10_000,
  });

/** A card of the host's own, with a report in it. */
export const OwnFrame: Story = {
  play: async ({ canvasElement, canvas }) => {
    await until(canvasElement, 'ready');
    await expect(canvas.getByTitle('Sales by region')).toBeVisible();
  },
};

/** The host's own button renews the report; the frame that is shown stays until its successor has loaded. */
export const RenewedByTheHost: Story = {
  play: async ({ canvasElement, canvas, loaded }) => {
    const fake = loaded['fake'] as FakeEmbed;
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

/** An error is data, too: its `kind` names the words, its `code` what to branch on. */
export const OwnError: Story = {
  loaders: [
    () => {
      const fake = createFakeEmbed({ page: sampleReport });
      fake.answer('report_unavailable');
      return { fake };
    },
  ],
  play: async ({ canvasElement, canvas }) => {
    await until(canvasElement, 'failed');
    await expect(canvas.getByText(new RegExp(englishLabels.report_unavailable.title))).toBeVisible();
  },
};
