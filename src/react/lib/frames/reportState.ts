import type { EmbedError } from '../errors/embedError.ts';

/** What a report is doing. */
export type ReportState =
  /** Disabled, or not near the viewport yet (`lazy`): nothing has been requested. */
  | { readonly status: 'idle'; readonly error?: never }
  /** Waiting for the key or for the frame. */
  | { readonly status: 'loading'; readonly error?: never }
  /** Shown. */
  | { readonly status: 'ready'; readonly error?: never }
  /** Shown, while a frame with a new key loads out of sight. */
  | { readonly status: 'refreshing'; readonly error?: never }
  /** Shown with a key that still works, but cannot be renewed at the moment. */
  | { readonly status: 'degraded'; readonly error: EmbedError }
  /** Covered: the key has expired, and no other came in time. */
  | { readonly status: 'expired'; readonly error: EmbedError }
  /** There is nothing to show. */
  | { readonly status: 'failed'; readonly error: EmbedError };

/** What React draws. A new object only when something visible has changed. */
export interface ReportSnapshot {
  /** What the report is doing, with the error if there is one. */
  readonly state: ReportState;
  /** The iframe of the report and, while it is being renewed, its successor. */
  readonly frames: readonly ReportFrame[];
}

/** One iframe to render, for as long as it is in the list. */
export interface ReportFrame {
  /** Unlike any other frame's: the React key. */
  readonly id: string;
  /** Whether a viewer may see it. A frame that may not still needs its place and size to load well: hide it by `visibility`. */
  readonly isVisible: boolean;
  /** Attributes to spread on the iframe. They stay the same object. */
  readonly props: ReportFrameProps;
}

/** Attributes of an iframe that shows a report. */
export interface ReportFrameProps {
  /** Unlike any other frame's: a browser that goes back would put another frame's old document into one of the same name. */
  readonly name: string;
  /** The report's address with the key in it, a secret; absent when the key is concealed. */
  readonly src?: string;
  /** Set on a cross-origin isolated page, so that the portal need not opt in; absent elsewhere. */
  readonly credentialless?: 'credentialless';
  /** To be set on the iframe: how the report knows whether the focus is in it. */
  readonly ref: (element: HTMLIFrameElement | null) => void;
  /** To be called when the iframe has loaded: until then the report is not shown. */
  readonly onLoad: (event?: { readonly currentTarget: HTMLIFrameElement }) => void;
}

/** What a viewer can tell of a snapshot, as text: snapshots with the same one look the same. */
export const describeSnapshot = ({ state: { status, error }, frames }: ReportSnapshot): string =>
  JSON.stringify([
    status,
    error?.code,
    error?.retryAfterMs,
    frames.map(({ id, isVisible }) => [id, isVisible]),
  ]);
