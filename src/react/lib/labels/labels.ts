import type { EmbedErrorKind } from '../errors/errorKind.ts';

/** What is the matter, and what to do about it. `{seconds}` and `{origin}` are filled in. */
export type ErrorLabel = readonly [title: string, advice: string];

/** Every word the component shows. */
export interface Labels extends Readonly<Record<EmbedErrorKind, ErrorLabel>> {
  /** Title of the frame when the `title` prop is absent. */
  readonly report: string;
  /** Shown while the report loads. */
  readonly loading: string;
  /** Shown beside a report that cannot be renewed now. */
  readonly degraded: string;
  /** The button of an error. */
  readonly retry: string;
}

const soon = 'Trying again within {seconds} seconds.';

/** The English words. */
export const englishLabels: Labels = {
  report: 'Report',
  loading: 'Loading report…',
  degraded: 'This report cannot be renewed.',
  retry: 'Try again',
  signed_out: ['You are signed out', 'Sign in again.'],
  report_unavailable: ['This report is not available', 'Ask for access.'],
  rate_limited: ['Too many requests', soon],
  offline: ['You are offline', soon],
  backend_unreachable: ['This report cannot be loaded', soon],
  portal_unreachable: ['The portal is not answering', soon],
  key_ended: ['This report has expired', 'Try again.'],
  frame_slow: ['This report is slow', 'Loading report…'],
  frame_blocked: ['This report is blocked', 'This page needs frame-src {origin}.'],
  misconfigured: ['This report is not set up', 'Ask for help.'],
};
