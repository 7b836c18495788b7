import type { Meta, StoryObj } from '@storybook/react-vite';
import { EmbeddedReport, englishLabels } from '@vitrine/react';
import { labels as arabic } from '@vitrine/react/labels/ar';
import { expect, fn, waitFor } from 'storybook/test';
import { ManyReports as ManyReportsExample } from './examples/ManyReports.tsx';
import manyReportsCode from './examples/ManyReports.tsx?raw';
import { OwnMessages } from './examples/OwnMessages.tsx';
import ownMessagesCode from './examples/OwnMessages.tsx?raw';
import type { Scene } from './scene/createStage.ts';
import { says, until } from './scene/expectations.ts';
import { stageOf } from './scene/onStage.tsx';
import { shownCode } from './scene/shownCode.ts';

/** Shows a report of the portal and renews its key: `<EmbeddedReport itemId={1042} title="Sales by region" />`. */
const meta = {
  title: 'Components/EmbeddedReport',
  component: EmbeddedReport,
  args: {
    itemId: 1042,
    title: 'Sales by region',
    height: 480,
    onLoad: fn(),
    onError: fn(),
    onRefreshDue: fn(),
  },
} satisfies Meta<typeof EmbeddedReport>;

export default meta;

type Story = StoryObj<typeof meta>;

/** In its last minute, a report does not wait for a viewer whose pointer is over it. */
const renewalMs = 59.2 * 60_000;

/** A report with its defaults. The key is renewed seamlessly before it expires. */
export const Default: Story = {
  play: async ({ canvasElement, loaded }) => {
    const { fake } = stageOf({ loaded });
    await until(canvasElement, 'ready');
    const [before] = fake.frames();
    fake.advance(renewalMs);
    await waitFor(() => expect(fake.frames()[0]).not.toBe(before), { timeout: 10_000 });
    await expect(fake.frames()).toHaveLength(1);
  },
};

/** `refreshPolicy="manual"`: `onRefreshDue` is called once per key, and you decide when to refresh. */
export const PolicyManual: Story = {
  args: { refreshPolicy: 'manual' },
  play: async ({ canvasElement, loaded, args }) => {
    const { fake } = stageOf({ loaded });
    await until(canvasElement, 'ready');
    fake.advance(renewalMs);
    await waitFor(() => expect(args.onRefreshDue).toHaveBeenCalledTimes(1), { timeout: 10_000 });
    await expect(fake.requests).toHaveLength(1);
  },
};

/** `refreshPolicy="off"`: a message covers the report when its key expires. */
export const PolicyOff: Story = {
  args: { refreshPolicy: 'off' },
  parameters: { scene: { onReady: ({ fake }) => fake.expire() } satisfies Scene },
  play: async ({ canvasElement, loaded }) => {
    await says(canvasElement, englishLabels.key_expired.title);
    await expect(stageOf({ loaded }).fake.requests).toHaveLength(1);
  },
};

/** `reloadIntervalMs={60_000}`: the data are loaded again every minute, with the same key, while the viewer does not use the report. */
export const ReloadInterval: Story = {
  // Away from the pointer.
  args: { reloadIntervalMs: 60_000, style: { marginBlockStart: 80 } },
  play: async ({ canvasElement, loaded }) => {
    const { fake } = stageOf({ loaded });
    await until(canvasElement, 'ready');
    const [before] = fake.frames();
    fake.advance(61_000);
    await waitFor(() => expect(fake.frames()[0]).not.toBe(before), { timeout: 10_000 });
    await expect(fake.requests).toHaveLength(1);
  },
};

/** `fullscreenButton` shows a button above the report. */
export const FullscreenButton: Story = {
  args: { fullscreenButton: true },
  play: async ({ canvasElement, canvas }) => {
    await until(canvasElement, 'ready');
    await expect(canvas.getByRole('button', { name: englishLabels.fullscreen })).toBeVisible();
  },
};

/** A box that keeps its shape instead of its height. */
export const AspectRatio: Story = {
  args: { aspectRatio: '16 / 9', height: undefined },
  play: async ({ canvasElement }) => {
    await until(canvasElement, 'ready');
    const { width, height } = canvasElement.querySelector('[data-state]')!.getBoundingClientRect();
    await expect(width / height).toBeCloseTo(16 / 9, 1);
  },
};

/** `lazy` requests nothing until the report is near the viewport. Scroll down in the box. */
export const Lazy: Story = {
  args: { lazy: true, height: 260 },
  decorators: [
    (Story) => (
      // A box that scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      <section className="host-scroll" aria-label="A page with a report further down" tabIndex={0}>
        <p>The report is further down. It requests its key when you come near.</p>
        <div style={{ height: 1600 }} />
        <Story />
      </section>
    ),
  ],
  play: async ({ canvasElement, loaded }) => {
    const { fake } = stageOf({ loaded });
    await until(canvasElement, 'idle');
    await expect(fake.requests).toHaveLength(0);
    canvasElement.querySelector('[data-state]')?.scrollIntoView();
    await until(canvasElement, 'ready');
    await expect(fake.requests).toHaveLength(1);
  },
};

/** Six reports of three items request three keys. */
export const ManyReports: Story = {
  parameters: { docs: { source: { code: shownCode(manyReportsCode) } }, controls: { disable: true } },
  render: () => <ManyReportsExample />,
  play: async ({ canvasElement, loaded }) => {
    await waitFor(() => expect(canvasElement.querySelectorAll('[data-state="ready"]')).toHaveLength(6), {
      timeout: 10_000,
    });
    await expect(stageOf({ loaded }).fake.requests).toHaveLength(3);
  },
};

/** Your own loading and error messages, from the slots `renderLoading` and `renderError`. */
export const CustomSlots: Story = {
  parameters: {
    scene: { answer: 'portal_timeout' },
    docs: { source: { code: shownCode(ownMessagesCode) } },
    controls: { disable: true },
  },
  render: () => <OwnMessages />,
  play: async ({ canvas }) => {
    await expect(await canvas.findByText('Figures are late today', {}, { timeout: 10_000 })).toBeVisible();
    await expect(canvas.getByText('portal_timeout')).toBeVisible();
  },
};

/** Colors follow the page's `color-scheme` and text color. */
export const Dark: Story = {
  parameters: { scene: { answer: 'portal_unreachable' } },
  decorators: [
    (Story) => (
      <div className="host-page" style={{ colorScheme: 'dark' }}>
        <Story />
      </div>
    ),
  ],
  play: ({ canvasElement }) => says(canvasElement, 'This report isn’t responding'),
};

/** Arabic labels from `@vitrine/react/labels/ar`. The layout follows the direction of the text. */
export const RightToLeft: Story = {
  args: { labels: arabic },
  parameters: {
    scene: { answer: 'signed_out' },
    docs: {
      source: {
        code: `import { EmbeddedReport } from '@vitrine/react';
import { labels } from '@vitrine/react/labels/ar';
import '@vitrine/react/styles.css';

<div dir="rtl" lang="ar">
  <EmbeddedReport itemId={1042} title="المبيعات حسب المنطقة" labels={labels} />
</div>`,
      },
    },
  },
  decorators: [
    (Story) => (
      <div dir="rtl" lang="ar">
        <Story />
      </div>
    ),
  ],
  play: ({ canvasElement }) => says(canvasElement, 'تم تسجيل خروجك'),
};

/** In a column of 320 pixels. */
export const Narrow: Story = {
  parameters: { scene: { answer: { code: 'rate_limited', retryAfterMs: 45_000 } } },
  decorators: [
    (Story) => (
      <div style={{ maxWidth: 320 }}>
        <Story />
      </div>
    ),
  ],
  play: ({ canvasElement }) => says(canvasElement, 'Too many requests'),
};
