import type { Meta, StoryObj } from '@storybook/react-vite';
import { EmbeddedReport, englishLabels } from '@vitrine/react';
import { expect, fn, userEvent, waitFor, within } from 'storybook/test';
import type { Scene } from './scene/createStage.ts';
import { says, until } from './scene/expectations.ts';
import { stageOf } from './scene/onStage.tsx';

/**
 * Every state of a report that a viewer can see. The root element has it in `data-state`, and the code of an error in
 * `data-code`; `onStateChange` and `onError` notify your code. Backend, portal and clock are from
 * `@vitrine/react/testing`: no network is used.
 */
const meta = {
  tags: ['autodocs'],
  title: 'Components/EmbeddedReport/States',
  component: EmbeddedReport,
  args: { itemId: 1042, title: 'Sales by region', height: 360, onLoad: fn(), onError: fn() },
} satisfies Meta<typeof EmbeddedReport>;

export default meta;

type Story = StoryObj<typeof meta>;

const scene = (parameters: Scene) => ({ parameters: { scene: parameters } });
/** A scene that changes the page's clock, network or policy, or holds its frames: in a page of its own. */
const ownPage = (parameters: Scene) => ({
  parameters: { scene: parameters, docs: { story: { inline: false, height: '400px' } } },
});
/** Every key is due after 90% of its hour. */
const renewalMs = 55 * 60_000;

/** The space is reserved while key and report load, so that the layout does not shift. */
export const Loading: Story = {
  ...ownPage({ isHeld: true }),
  args: { loadTimeoutMs: Infinity },
  play: async ({ canvasElement }) => {
    await expect(within(canvasElement).getByRole('status')).toHaveTextContent('Loading report');
    await expect(canvasElement.querySelector('[aria-busy="true"]')).not.toBeNull();
  },
};

/** The report. `title` is its accessible name. */
export const Ready: Story = {
  play: async ({ canvasElement, canvas, args }) => {
    await until(canvasElement, 'ready');
    await expect(canvas.getByTitle('Sales by region')).toBeVisible();
    await expect(args.onLoad).toHaveBeenCalled();
  },
};

/** A hidden frame with the next key loads, and the report stays unchanged. */
export const Refreshing: Story = {
  ...ownPage({
    onReady: ({ fake, setHeld }) => {
      setHeld(true);
      fake.advance(renewalMs);
    },
  }),
  args: { loadTimeoutMs: Infinity },
  play: async ({ canvasElement, loaded }) => {
    await until(canvasElement, 'refreshing');
    const [shown, next] = stageOf({ loaded }).fake.frames();
    await expect(shown).toBeVisible();
    await expect(next).not.toBeVisible();
  },
};

/** The key could not be renewed yet, but still works: a note says why and since when, and the report stays. */
export const Degraded: Story = {
  ...ownPage({
    onReady: ({ fake }) => {
      fake.answer('portal_unavailable');
      fake.advance(renewalMs);
    },
  }),
  play: async ({ canvasElement, canvas }) => {
    await until(canvasElement, 'degraded');
    const report = canvas.getByTitle('Sales by region');
    const note = canvas.getByRole('status');
    await expect(note).toHaveTextContent('isn’t responding');
    // It covers nothing of the report.
    await expect(note.getBoundingClientRect().bottom).toBeLessThanOrEqual(report.getBoundingClientRect().top);
  },
};

/** The viewer can dismiss the note. */
export const DegradedDismissed: Story = {
  ...Degraded,
  tags: ['!autodocs'],
  play: async ({ canvasElement, canvas }) => {
    await until(canvasElement, 'degraded');
    await userEvent.click(canvas.getByRole('button', { name: 'Dismiss' }));
    await expect(canvas.queryByRole('status')).toBeNull();
    await expect(canvas.getByTitle('Sales by region')).toBeVisible();
  },
};

/** The key has expired and cannot be renewed: a message covers the report until it can. */
export const Expired: Story = {
  ...ownPage({
    onReady: ({ fake }) => {
      fake.answer('portal_unavailable');
      fake.expire();
    },
  }),
  play: async ({ canvasElement }) => {
    await until(canvasElement, 'expired');
    await says(canvasElement, 'isn’t responding');
  },
};

/** Nobody is signed in. With `onSignIn`, the message offers it; the report is requested again when its promise resolves. */
export const SignedOut: Story = {
  ...scene({ answer: 'signed_out' }),
  args: { onSignIn: fn(() => Promise.resolve()) },
  play: async ({ canvasElement, canvas, loaded }) => {
    await says(canvasElement, 'You’re signed out');
    await expect(canvas.getByRole('button', { name: 'Sign in' })).toBeEnabled();
    await expect(stageOf({ loaded }).fake.requests).toHaveLength(1);
  },
};

/** Without `onSignIn`, there is no button: a second try would change nothing. A return to the page requests the report again. */
export const SignedOutWithoutSignIn: Story = {
  ...scene({ answer: 'signed_out' }),
  play: async ({ canvasElement, canvas }) => {
    await says(canvasElement, 'Sign in again to see this report.');
    await expect(canvas.queryByRole('button')).toBeNull();
  },
};

/** Missing, or not allowed for this viewer: the backend does not distinguish the two, and a second try changes nothing. */
export const NotAvailable: Story = {
  ...scene({ answer: 'report_unavailable' }),
  play: async ({ canvasElement, canvas }) => {
    await says(canvasElement, 'This report isn’t available');
    await expect(canvas.queryByRole('button')).toBeNull();
  },
};

/** Too many requests: the message says when the report retries. */
export const RateLimited: Story = {
  ...scene({ answer: { code: 'rate_limited', retryAfterMs: 90_000 } }),
  play: ({ canvasElement }) => says(canvasElement, 'within 90 seconds'),
};

/** No network. The report recovers automatically. */
export const Offline: Story = {
  ...ownPage({ answer: 'offline' }),
  play: async ({ canvasElement, args }) => {
    await says(canvasElement, 'You’re offline');
    await expect(args.onError).toHaveBeenCalledWith(expect.objectContaining({ code: 'offline' }), {
      itemId: 1042,
    });
  },
};

/** Your backend cannot be reached. */
export const BackendDown: Story = {
  ...scene({ answer: 'unreachable' }),
  play: ({ canvasElement }) => says(canvasElement, 'This report can’t be loaded'),
};

/** Your backend responds, but the portal behind it does not. */
export const PortalDown: Story = {
  ...scene({ answer: 'portal_unreachable' }),
  play: ({ canvasElement }) => says(canvasElement, 'This report isn’t responding'),
};

/** The frame takes longer than `loadTimeoutMs`. The report appears as soon as it has loaded after all. */
export const Slow: Story = {
  ...ownPage({ isHeld: true }),
  args: { loadTimeoutMs: 100 },
  play: ({ canvasElement }) => says(canvasElement, englishLabels.frame_slow.title),
};

/** The page's Content-Security-Policy blocks the frame. The console says what is missing in development. */
export const BlockedByThePage: Story = {
  ...ownPage({
    isHeld: true,
    onMount: ({ fake }) => {
      const timer = setInterval(() => fake.frames().length > 0 && fake.block(), 100);
      return () => clearInterval(timer);
    },
  }),
  play: ({ canvasElement }) => says(canvasElement, englishLabels.frame_blocked.title),
};

/** A setting is wrong: a viewer cannot fix it, so there is no "Try again". */
export const Misconfigured: Story = {
  args: { itemId: -1 },
  play: async ({ canvasElement, canvas, loaded }) => {
    await says(canvasElement, englishLabels.misconfigured.title);
    await expect(canvas.queryByRole('button')).toBeNull();
    await expect(stageOf({ loaded }).fake.requests).toHaveLength(0);
  },
};

/** The report appears when the viewer has signed in. */
export const SigningIn: Story = {
  ...scene({ answer: 'signed_out' }),
  args: { onSignIn: fn(() => Promise.resolve()) },
  tags: ['!autodocs'],
  play: async ({ canvasElement, canvas, loaded }) => {
    await says(canvasElement, 'You’re signed out');
    stageOf({ loaded }).fake.answer('key');
    await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }));
    await until(canvasElement, 'ready');
  },
};

/** A slow report appears as soon as it has loaded after all. */
export const SlowThenReady: Story = {
  ...scene({ isHeld: true }),
  tags: ['!autodocs'],
  args: { loadTimeoutMs: 100 },
  play: async ({ canvasElement, canvas, loaded }) => {
    await says(canvasElement, englishLabels.frame_slow.title);
    const { fake, setHeld } = stageOf({ loaded });
    setHeld(false);
    fake.load();
    await until(canvasElement, 'ready');
    await waitFor(() => expect(canvas.getByTitle('Sales by region')).toBeVisible());
  },
};
