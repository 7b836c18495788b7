import { maxForegroundDelayMs } from './backoff.ts';
import type { EmbedError, EmbedErrorKind } from './errors.ts';

/** The texts that a viewer reads about an error. `{seconds}` and `{origin}` are placeholders. */
export interface ErrorLabel {
  /** The problem in a few words. */
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
  /** Shown above a report that cannot be renewed, after the title of the error. Default: “Not refreshed since {time}.” */
  readonly degraded: string;
  /** Text of the button that hides that note. Default: “Dismiss”. */
  readonly dismiss: string;
  /** Text of the button next to an error. Default: “Try again”. */
  readonly retry: string;
  /** Text of the button when nobody is signed in and there is an `onSignIn`. Default: “Sign in”. */
  readonly signIn: string;
  /** Text of the button of `fullscreenButton`. Default: “Full screen”. */
  readonly fullscreen: string;
  /** Text of the button that ends the full screen. Default: “Exit full screen”. */
  readonly exitFullscreen: string;
  /** Accessible name of a list of reports. Default: “Reports”. */
  readonly reports: string;
  /** Shown in an empty list of reports. Default: “There aren’t any reports for you.” */
  readonly noReports: string;
  /** Title of the error of a list of reports, unless its cause is the viewer's. Default: “The reports can’t be loaded”. */
  readonly reportsFailed: string;
  /** Nobody is signed in. Default: “You’re signed out. Sign in again to see this report.” */
  readonly signed_out: ErrorLabel;
  /** The viewer may not see the report, or it does not exist. Default: “This report isn’t available. You may need permission …” */
  readonly report_unavailable: ErrorLabel;
  /** The backend limits requests. Default: “Too many requests. Trying again within {seconds} seconds.” */
  readonly rate_limited: ErrorLabel;
  /** The browser has no network. Default: “You’re offline. Trying again within {seconds} seconds.” */
  readonly offline: ErrorLabel;
  /** The host's backend does not respond. Default: “This report can’t be loaded. Trying again within {seconds} seconds.” */
  readonly backend_unreachable: ErrorLabel;
  /** The backend cannot reach the portal. Default: “This report isn’t responding. Trying again within {seconds} seconds.” */
  readonly portal_unreachable: ErrorLabel;
  /** The key expired under `manual` or `off`. Default: “Your session for this report has expired. Try again to continue.” */
  readonly key_expired: ErrorLabel;
  /** The frame did not load in time. Default: “Still loading… This report is taking longer than usual.” */
  readonly frame_slow: ErrorLabel;
  /** The page's policy blocks the frame, or the page is cross-origin isolated. Default: “This report can’t be shown here. Contact your administrator.” */
  readonly frame_blocked: ErrorLabel;
  /** The browser denies the page access to a portal in a local network. Default: “Your browser doesn’t allow this report. …” */
  readonly frame_denied: ErrorLabel;
  /** A developer or administrator has to act. Default: “This report isn’t configured correctly. Contact your administrator.” */
  readonly misconfigured: ErrorLabel;
}

/** Label overrides. An absent or undefined label keeps its default. */
export type LabelOverrides = { readonly [TName in keyof Labels]?: Labels[TName] | undefined };

const retrying = 'Trying again within {seconds} seconds.';

/** The English labels: the defaults. */
export const englishLabels: Labels = {
  report: 'Report',
  loading: 'Loading report…',
  degraded: 'Not refreshed since {time}.',
  dismiss: 'Dismiss',
  retry: 'Try again',
  signIn: 'Sign in',
  fullscreen: 'Full screen',
  exitFullscreen: 'Exit full screen',
  reports: 'Reports',
  noReports: 'There aren’t any reports for you.',
  reportsFailed: 'The reports can’t be loaded',
  signed_out: { title: 'You’re signed out', description: 'Sign in again to see this report.' },
  report_unavailable: {
    title: 'This report isn’t available',
    description: 'You may need permission to view this report.',
  },
  rate_limited: { title: 'Too many requests', description: retrying },
  offline: { title: 'You’re offline', description: retrying },
  backend_unreachable: { title: 'This report can’t be loaded', description: retrying },
  portal_unreachable: { title: 'This report isn’t responding', description: retrying },
  key_expired: {
    title: 'Your session for this report has expired',
    description: 'Try again to continue.',
  },
  frame_slow: { title: 'Still loading…', description: 'This report is taking longer than usual.' },
  frame_blocked: { title: 'This report can’t be shown here', description: 'Contact your administrator.' },
  frame_denied: {
    title: 'Your browser doesn’t allow this report',
    description: 'Allow this site to access your local network, then try again.',
  },
  misconfigured: {
    title: 'This report isn’t configured correctly',
    description: 'Contact your administrator.',
  },
};

/** Fills the placeholders of a label from an error. */
export const formatLabel = (text: string, { retryAfterMs = 0, origin = '' }: EmbedError): string =>
  text
    .replace('{seconds}', `${Math.ceil(Math.max(maxForegroundDelayMs, retryAfterMs) / 1000)}`)
    .replace('{origin}', origin);

/** Merges labels or other props; later ones win. An undefined one keeps the value. */
export const mergeDefined = <TValues extends object>(
  base: TValues,
  ...overrides: readonly (object | undefined)[]
): TValues => {
  const given = overrides.flatMap((values) => Object.entries(values ?? {}));
  return { ...base, ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) };
};
