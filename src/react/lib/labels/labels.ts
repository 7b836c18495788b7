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
  /** Accessible name of the frame when the `title` prop is absent. Default: “Report”. */
  readonly report: string;
  /** Shown while the report loads. Default: “Loading report…”. */
  readonly loading: string;
  /** Shown over a report that cannot be renewed. Default: “This report cannot be refreshed at the moment.” */
  readonly degraded: string;
  /** Text of the button beside an error. Default: “Try again”. */
  readonly retry: string;
  /** Nobody is signed in. Default: “You are signed out. Sign in again to see this report.” */
  readonly signed_out: ErrorLabel;
  /** This viewer may not see the report, or there is none. Default: “This report is not available. You may need permission …” */
  readonly report_unavailable: ErrorLabel;
  /** The backend answers no more requests for a while. Default: “Too many requests. Trying again within {seconds} seconds.” */
  readonly rate_limited: ErrorLabel;
  /** The browser has no network. Default: “You are offline. Trying again within {seconds} seconds.” */
  readonly offline: ErrorLabel;
  /** The host's backend does not answer. Default: “This report cannot be loaded. Trying again within {seconds} seconds.” */
  readonly backend_unreachable: ErrorLabel;
  /** The backend cannot reach the portal. Default: “The portal is not answering. Trying again within {seconds} seconds.” */
  readonly portal_unreachable: ErrorLabel;
  /** The key expired under `manual` or `off`. Default: “Your session for this report has expired. Try again to go on.” */
  readonly key_expired: ErrorLabel;
  /** The frame has not loaded in time. Default: “Still loading… This report takes longer than usual.” */
  readonly frame_slow: ErrorLabel;
  /** The page's policy blocks the frame. Default: “This report is blocked. The policy of this page must allow frame-src {origin}.” */
  readonly frame_blocked: ErrorLabel;
  /** The page is cross-origin isolated. Default: “This report is blocked. This page is isolated, and {origin} does not allow that …” */
  readonly frame_isolated: ErrorLabel;
  /** A developer or administrator has to act. Default: “This report isn’t configured correctly. Contact your administrator.” */
  readonly misconfigured: ErrorLabel;
}

/** Labels in place of others. One that is absent or undefined leaves the text as it is. */
export type LabelOverrides = { readonly [TName in keyof Labels]?: Labels[TName] | undefined };

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
