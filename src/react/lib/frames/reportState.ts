import type { EmbedError } from '../errors/embedError.ts';

/** State of a report. */
export type ReportState =
  /** Disabled, or not near the viewport yet (`lazy`): nothing has been requested. */
  | { readonly status: 'idle'; readonly error?: never }
  /** Waiting for the key or for the frame. */
  | { readonly status: 'loading'; readonly error?: never }
  /** Shown. */
  | { readonly status: 'ready'; readonly error?: never }
  /** Shown, while a hidden frame with a new key loads. */
  | { readonly status: 'refreshing'; readonly error?: never }
  /** Shown with a key that still works, but cannot be renewed at the moment. */
  | { readonly status: 'degraded'; readonly error: EmbedError }
  /** Covered: the key has expired without a new one. */
  | { readonly status: 'expired'; readonly error: EmbedError }
  /** There is nothing to show. */
  | { readonly status: 'failed'; readonly error: EmbedError };

/** What React renders. A new object only if something visible has changed. */
export interface ReportSnapshot {
  /** The state of the report, with the error if there is one. */
  readonly state: ReportState;
  /** The iframe of the report and, while it is being renewed, its successor. */
  readonly frames: readonly ReportFrame[];
}

/** One iframe to render, for as long as it is in the list. */
export interface ReportFrame {
  /** Unique ID, for the React key. */
  readonly id: string;
  /**
   * Whether to show it. A hidden frame needs its final size to load well, and a place that the browser does not scroll to:
   * `position: fixed` at the top left, with `visibility: hidden`.
   */
  readonly isVisible: boolean;
  /** Attributes to spread on the iframe. Always the same object. */
  readonly props: ReportFrameProps;
}

/** Attributes of an iframe that shows a report. */
export interface ReportFrameProps {
  /** Unique: otherwise, on Back, a browser restores the old document of another frame with the same name. */
  readonly name: string;
  /** The report's URL with the key, a secret; absent if the key is concealed. */
  readonly src?: string;
  /** Set on a cross-origin isolated page, so that the portal need not opt in; otherwise absent. */
  readonly credentialless?: 'credentialless';
  /** Set it on the iframe: the report uses it to detect focus. */
  readonly ref: (element: HTMLIFrameElement | null) => void;
  /** Call it when the iframe has loaded: until then, the report is hidden. */
  readonly onLoad: (event?: { readonly currentTarget: HTMLIFrameElement }) => void;
}

/** The visible part of a snapshot as text: snapshots with equal text look the same. */
export const describeSnapshot = ({ state: { status, error }, frames }: ReportSnapshot): string =>
  JSON.stringify([
    status,
    error?.code,
    error?.retryAfterMs,
    frames.map(({ id, isVisible }) => [id, isVisible]),
  ]);
