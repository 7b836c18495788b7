import type { Meta, StoryObj } from '@storybook/react-vite';
import { EmbeddedReport, EmbedProvider, englishLabels } from '@vitrine/react';
import { labels as arabic } from '@vitrine/react/labels/ar';
import { createFakeEmbed, type FakeEmbed } from '@vitrine/react/testing';
import type { ReactNode } from 'react';
import { expect, fn, userEvent, waitFor, within } from 'storybook/test';
import { sampleReport } from './sampleReport.ts';

/**
 * One line shows a report and keeps it alive: `<EmbeddedReport itemId={1042} title="Sales by region" />`. The stories
 * below are its states. Backend, portal and clock are those of `@vitrine/react/testing`; no network is used.
 */
const meta = {
  title: 'Embedded report',
  component: EmbeddedReport,
  args: {
    itemId: 1042,
    title: 'Sales by region',
    height: 480,
    onLoad: fn(),
    onError: fn(),
    onRefreshed: fn(),
    onStateChange: fn(),
    onRefreshDue: fn(),
  },
  loaders: [() => ({ fake: createFakeEmbed({ page: sampleReport }) })],
  beforeEach: () => () => {
    for (const end of ends) end();
    ends.clear();
  },
  render: (args, context) => (
    <EmbedProvider {...fakeOf(context).provider}>
      <EmbeddedReport {...args} />
    </EmbedProvider>
  ),
} satisfies Meta<typeof EmbeddedReport>;

export default meta;

type Story = StoryObj<typeof meta>;

const fakeOf = (context: { loaded: Record<string, unknown> }) => context.loaded['fake'] as FakeEmbed;

/** A loader whose backend answers something else than a key. */
const answering = (answer: Parameters<FakeEmbed['answer']>[0]) => ({
  loaders: [
    () => {
      const fake = createFakeEmbed({ page: sampleReport });
      fake.answer(answer);
      return { fake };
    },
  ],
});

const ends = new Set<() => void>();

/** From now on no frame is heard to have loaded, as if the portal took its time; returns the end of that. */
const holdLoads = () => {
  const hold = (event: Event) => {
    if (event.target instanceof HTMLIFrameElement) event.stopImmediatePropagation();
  };
  document.addEventListener('load', hold, true);
  const end = () => document.removeEventListener('load', hold, true);
  ends.add(end);
  return end;
};

/** A loader whose portal takes its time from the beginning. */
const holding = { loaders: [() => ({ fake: createFakeEmbed({ page: sampleReport }), letGo: holdLoads() })] };

const until = (canvasElement: HTMLElement, state: string) =>
  waitFor(() => expect(canvasElement.querySelector(`[data-state="${state}"]`)).not.toBeNull(), {
    timeout: 5_000,
  });

const says = async (canvasElement: HTMLElement, title: string) => {
  const alert = await within(canvasElement).findByRole('alert', {}, { timeout: 5_000 });
  await expect(alert).toHaveTextContent(title);
};

/** The room is held while key and report are on their way, so that nothing on the page moves. */
export const Loading: Story = {
  ...answering('hang'),
  play: async ({ canvasElement }) => {
    await expect(within(canvasElement).getByRole('status')).toHaveTextContent('Loading report');
    await expect(canvasElement.querySelector('[aria-busy="true"]')).not.toBeNull();
  },
};

/** The report, in a frame that is named for people who do not see it. */
export const Ready: Story = {
  play: async ({ canvasElement, canvas, args }) => {
    await until(canvasElement, 'ready');
    await expect(canvas.getByTitle('Sales by region')).toBeVisible();
    await expect(args.onLoad).toHaveBeenCalled();
  },
};

/** Its successor loads out of sight, and the report stays as it is. */
export const Refreshing: Story = {
  play: async ({ canvasElement, loaded }) => {
    const fake = fakeOf({ loaded });
    await until(canvasElement, 'ready');
    holdLoads();
    fake.advance(50 * 60_000);
    await waitFor(() => expect(fake.frames()).toHaveLength(2));
    await expect(fake.frames()[0]).toBeVisible();
    await expect(fake.frames()[1]).not.toBeVisible();
    await until(canvasElement, 'refreshing');
  },
};

/** The key could not be renewed yet, but still works: a quiet word, and the report stays. */
export const Degraded: Story = {
  play: async ({ canvasElement, canvas, loaded }) => {
    const fake = fakeOf({ loaded });
    await until(canvasElement, 'ready');
    fake.answer('portal_unavailable');
    fake.advance(50 * 60_000);
    await until(canvasElement, 'degraded');
    await expect(canvas.getByTitle('Sales by region')).toBeVisible();
  },
};

/** The key has ended and cannot be renewed: the report is covered until it can. */
export const Expired: Story = {
  play: async ({ canvasElement, loaded }) => {
    const fake = fakeOf({ loaded });
    await until(canvasElement, 'ready');
    fake.answer('portal_unavailable');
    fake.expire();
    await until(canvasElement, 'expired');
    await says(canvasElement, 'not answering');
  },
};

/** Nobody is signed in. Retry asks again once somebody is. */
export const SignedOut: Story = {
  ...answering('signed_out'),
  play: async ({ canvasElement, canvas, loaded }) => {
    await says(canvasElement, 'You are signed out');
    await expect(canvas.getByRole('button', { name: 'Try again' })).toBeEnabled();
    await expect(fakeOf({ loaded }).requests).toHaveLength(1);
  },
};

/** A Retry that works. */
export const RetryAfterSigningIn: Story = {
  ...answering('signed_out'),
  play: async ({ canvasElement, canvas, loaded }) => {
    await says(canvasElement, 'You are signed out');
    fakeOf({ loaded }).answer('key');
    await userEvent.click(canvas.getByRole('button', { name: 'Try again' }));
    await until(canvasElement, 'ready');
  },
};

/** Missing, or not open to this person: the backend does not tell the two apart. */
export const NotAvailable: Story = {
  ...answering('report_unavailable'),
  play: ({ canvasElement }) => says(canvasElement, 'This report is not available'),
};

/** Too many requests: it says how long it waits. */
export const RateLimited: Story = {
  ...answering({ code: 'rate_limited', retryAfterMs: 90_000 }),
  play: ({ canvasElement }) => says(canvasElement, 'within 90 seconds'),
};

/** No network. The report returns by itself. */
export const Offline: Story = {
  ...answering('offline'),
  play: async ({ canvasElement, args }) => {
    await says(canvasElement, 'You are offline');
    await expect(args.onError).toHaveBeenCalledWith(expect.objectContaining({ code: 'offline' }), {
      itemId: 1042,
    });
  },
};

/** The host's backend cannot be reached. */
export const BackendDown: Story = {
  ...answering('unreachable'),
  play: ({ canvasElement }) => says(canvasElement, 'This report cannot be loaded'),
};

/** The backend answers, the portal behind it does not. */
export const PortalDown: Story = {
  ...answering('portal_unreachable'),
  play: ({ canvasElement }) => says(canvasElement, 'The portal is not answering'),
};

/** The frame takes longer than `loadTimeoutMs`: a word about it, and a way to ask again. */
export const Slow: Story = {
  ...holding,
  args: { loadTimeoutMs: 100 },
  play: ({ canvasElement }) => says(canvasElement, englishLabels.frame_slow.title),
};

/** A slow report is shown as soon as it has loaded after all. */
export const SlowThenShown: Story = {
  ...holding,
  args: { loadTimeoutMs: 100 },
  play: async ({ canvasElement, canvas, loaded }) => {
    await says(canvasElement, englishLabels.frame_slow.title);
    (loaded['letGo'] as () => void)();
    fakeOf({ loaded }).load();
    await until(canvasElement, 'ready');
    await expect(canvas.getByTitle('Sales by region')).toBeVisible();
  },
};

/** The page's Content-Security-Policy blocks the frame, and the message says what it lacks. */
export const BlockedByThePage: Story = {
  play: async ({ canvasElement, loaded }) => {
    const fake = fakeOf({ loaded });
    await waitFor(() => expect(fake.frames()).toHaveLength(1));
    fake.block();
    await says(canvasElement, 'frame-src https://portal.fake.example');
  },
};

/** A setting is wrong: nothing a reader could do, so there is no Retry. */
export const Misconfigured: Story = {
  args: { itemId: -1 },
  play: async ({ canvasElement, canvas, loaded }) => {
    await says(canvasElement, englishLabels.misconfigured.title);
    await expect(canvas.queryByRole('button')).toBeNull();
    await expect(fakeOf({ loaded }).requests).toHaveLength(0);
  },
};

/** `refreshPolicy="seamless"`, the default: the successor takes over once it has loaded and nobody is working in the report. */
export const PolicySeamless: Story = {
  args: { refreshPolicy: 'seamless' },
  play: async ({ canvasElement, loaded, args }) => {
    const fake = fakeOf({ loaded });
    await until(canvasElement, 'ready');
    const before = fake.frames()[0];
    fake.advance(50 * 60_000);
    await waitFor(() => expect(args.onRefreshed).toHaveBeenCalledTimes(1), { timeout: 5_000 });
    await waitFor(() => expect(fake.frames()).toHaveLength(1));
    await expect(fake.frames()[0]).not.toBe(before);
  },
};

/** `refreshPolicy="manual"`: the host is told in time, and says when. */
export const PolicyManual: Story = {
  args: { refreshPolicy: 'manual' },
  play: async ({ canvasElement, loaded, args }) => {
    const fake = fakeOf({ loaded });
    await until(canvasElement, 'ready');
    fake.advance(50 * 60_000);
    await waitFor(() => expect(args.onRefreshDue).toHaveBeenCalledTimes(1));
    await expect(fake.requests).toHaveLength(1);
  },
};

/** `refreshPolicy="off"`: the report is covered when its key ends. */
export const PolicyOff: Story = {
  args: { refreshPolicy: 'off' },
  play: async ({ canvasElement, loaded }) => {
    const fake = fakeOf({ loaded });
    await until(canvasElement, 'ready');
    fake.expire();
    await says(canvasElement, englishLabels.key_expired.title);
    await expect(fake.requests).toHaveLength(1);
  },
};

/** Colours follow the page's `color-scheme`. */
export const Dark: Story = {
  ...answering('portal_unreachable'),
  globals: { theme: 'dark' },
  play: ({ canvasElement }) => says(canvasElement, 'The portal is not answering'),
};

/** Arabic labels from `@vitrine/react/labels/ar`. The layout follows the direction of the text. */
export const RightToLeft: Story = {
  ...answering('signed_out'),
  args: { labels: arabic },
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
  ...answering({ code: 'rate_limited', retryAfterMs: 45_000 }),
  decorators: [
    (Story) => (
      <div style={{ width: 320 }}>
        <Story />
      </div>
    ),
  ],
  play: ({ canvasElement }) => says(canvasElement, 'Too many requests'),
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

const items = [1042, 1043, 1044] as const;

/** Six frames of three items ask for three keys. */
export const ManyReports: Story = {
  args: { height: 300 },
  render: (args, context) => (
    <EmbedProvider {...fakeOf(context).provider}>
      <div style={{ display: 'grid', gap: 16, gridTemplateColumns: 'repeat(auto-fill, minmax(300px, 1fr))' }}>
        {[...items, ...items].map((itemId, index) => (
          // The list never changes, so that positions are names enough.
          // oxlint-disable-next-line react/no-array-index-key
          <EmbeddedReport key={index} {...args} itemId={itemId} title={`Report ${index + 1}`} />
        ))}
      </div>
    </EmbedProvider>
  ),
  play: async ({ canvasElement, loaded }) => {
    await waitFor(() => expect(canvasElement.querySelectorAll('[data-state="ready"]')).toHaveLength(6), {
      timeout: 10_000,
    });
    await expect(fakeOf({ loaded }).requests).toHaveLength(3);
  },
};

/** `lazy` asks for nothing until the report comes near the viewport. */
export const Lazy: Story = {
  args: { lazy: true },
  decorators: [
    (Story) => (
      <>
        <p>The report is four screens below. It asks for its key when you come near.</p>
        <div style={{ height: '400vh' }} />
        <Story />
      </>
    ),
  ],
  play: async ({ canvasElement, loaded }) => {
    const fake = fakeOf({ loaded });
    await until(canvasElement, 'idle');
    await expect(fake.requests).toHaveLength(0);
    canvasElement.querySelector('[data-state]')?.scrollIntoView();
    await until(canvasElement, 'ready');
    await expect(fake.requests).toHaveLength(1);
    window.scrollTo(0, 0);
  },
};

const Panel = ({ children }: { readonly children: ReactNode }) => (
  <div className="host-panel">{children}</div>
);

/** The host's own loading and error, with the state and a way out. */
export const CustomSlots: Story = {
  ...answering('portal_timeout'),
  args: {
    renderLoading: () => <Panel>One moment, fetching your figures…</Panel>,
    renderError: ({ error, retry }) => (
      <Panel>
        <strong>Figures are late today</strong>
        <code>{error.code}</code>
        <button type="button" className="host-button" onClick={retry}>
          Ask again
        </button>
      </Panel>
    ),
  },
  play: async ({ canvas }) => {
    await expect(await canvas.findByText('Figures are late today')).toBeVisible();
    await expect(canvas.getByText('portal_timeout')).toBeVisible();
  },
};
