import type { EmbedErrorKind } from '../errors/errorTable.ts';

/** What a viewer reads about an error. `{seconds}` and `{origin}` are filled in. */
export interface ErrorLabel {
  /** What is wrong, in a few words. */
  readonly title: string;
  /** What to do about it. */
  readonly description: string;
}

/** Every text that the component shows. Defaults: {@link englishLabels}. */
export interface Labels extends Readonly<Record<EmbedErrorKind, ErrorLabel>> {
  /** Accessible name of the frame when the `title` prop is absent. */
  readonly report: string;
  /** Shown while the report loads. */
  readonly loading: string;
  /** Shown over a report that cannot be renewed at the moment. */
  readonly degraded: string;
  /** Text of the button beside an error. */
  readonly retry: string;
}

const retrying = 'Trying again within {seconds} seconds.';

/** The English texts, which are the defaults. */
export const englishLabels: Labels = {
  report: 'Report',
  loading: 'Loading report…',
  degraded: 'This report cannot be refreshed at the moment.',
  retry: 'Try again',
  signed_out: { title: 'You are signed out', description: 'Sign in again to see this report.' },
  report_unavailable: {
    title: 'This report is not available',
    description: 'You may need permission to view this report.',
  },
  rate_limited: { title: 'Too many requests', description: retrying },
  offline: { title: 'You are offline', description: retrying },
  backend_unreachable: { title: 'This report cannot be loaded', description: retrying },
  portal_unreachable: { title: 'The portal is not answering', description: retrying },
  key_expired: {
    title: 'Your session for this report has expired',
    description: 'Try again to go on.',
  },
  frame_slow: { title: 'Still loading…', description: 'This report takes longer than usual.' },
  frame_blocked: {
    title: 'This report is blocked',
    description: 'The policy of this page must allow frame-src {origin}.',
  },
  frame_isolated: {
    title: 'This report is blocked',
    description: 'This page is isolated, and {origin} does not allow that in this browser.',
  },
  misconfigured: {
    title: 'This report isn’t configured correctly',
    description: 'Contact your administrator.',
  },
};
