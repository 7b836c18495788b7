import type { Meta, StoryObj } from '@storybook/react-vite';
import { EmbedProvider } from '@vitrine/react';
import { expect, waitFor } from 'storybook/test';
import { TwoReports } from './examples/TwoReports.tsx';
import { shownCode } from './scene/shownCode.ts';

/** Sets the defaults of all reports below it. */
const meta = {
  title: 'Components/EmbedProvider',
  component: EmbedProvider,
  args: { viewerKey: 'jane@acme.example', labels: { loading: 'One moment…' } },
  render: ({ viewerKey, labels }) => (
    <EmbedProvider viewerKey={viewerKey} labels={labels}>
      <TwoReports />
    </EmbedProvider>
  ),
} satisfies Meta<typeof EmbedProvider>;

export default meta;

/** Two reports of one viewer. */
export const Default: StoryObj<typeof meta> = {
  parameters: {
    docs: {
      source: {
        code: shownCode(`<EmbedProvider viewerKey="jane@acme.example" labels={{ loading: 'One moment…' }}>
  <EmbeddedReport itemId={1042} title="Sales by region" height={320} />
  <EmbeddedReport itemId={1043} title="Order book" height={320} />
</EmbedProvider>`),
      },
    },
  },
  play: ({ canvasElement }) =>
    waitFor(() => expect(canvasElement.querySelectorAll('[data-state="ready"]')).toHaveLength(2), {
      timeout: 10_000,
    }),
};
