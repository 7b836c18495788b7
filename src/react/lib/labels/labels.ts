import type { EmbedErrorKind } from '../errors/errorKind.ts';

/** What is the matter, and what to do about it. `{seconds}` and `{origin}` are filled in. */
export type ErrorLabel = readonly [title: string, advice: string];

/** Every word the component shows. */
export interface Labels extends Readonly<Record<EmbedErrorKind, ErrorLabel>> {
  /** Title of the frame when the `title` prop is absent. */
  readonly report: string;
  /** Shown while the report loads. */
  readonly loading: string;
  /** Shown beside a report that cannot be renewed at present. */
  readonly degraded: string;
  /** The button of an error. */
  readonly retry: string;
}

const soon = 'Trying again within {seconds} seconds.';

/** What people are told in English about each kind of error. */
export const errorLabels: Readonly<Record<EmbedErrorKind, ErrorLabel>> = {
  signed_out: ['You are signed out', 'Sign in again to see it.'],
  report_unavailable: ['This report is not available', 'It may have moved, or is not shared with you.'],
  rate_limited: ['Too many requests', soon],
  offline: ['You are offline', 'It returns with the connection.'],
  backend_unreachable: ['This report cannot be loaded', soon],
  portal_unreachable: ['The report portal is not answering', soon],
  key_ended: ['Access to this report has ended', 'Try again to renew it.'],
  frame_slow: ['This report is slow to load', 'It appears once it has loaded.'],
  frame_blocked: ['This page may not show the report', 'Its policy needs frame-src {origin}.'],
  misconfigured: ['This report is not set up correctly', 'Tell whoever runs this page.'],
};

/** The English words. */
export const englishLabels: Labels = {
  report: 'Report',
  loading: 'Loading report…',
  degraded: 'This report cannot be renewed at present.',
  retry: 'Try again',
  ...errorLabels,
};
