import type { EmbedError } from '../errors/embedError.ts';

/** What a report is doing, as a person would say it. */
export type ReportState =
  /** Not near the viewport yet (`lazy`): nothing has been asked for. */
  | { readonly status: 'idle'; readonly error?: never }
  /** Waiting for the key or for the frame. */
  | { readonly status: 'loading'; readonly error?: never }
  | { readonly status: 'ready'; readonly error?: never }
  /** Shown, while its successor loads out of sight. */
  | { readonly status: 'refreshing'; readonly error?: never }
  /** Shown with a key that still works, though it cannot be renewed at present. */
  | { readonly status: 'degraded'; readonly error: EmbedError }
  /** Covered: the key has ended and no other came in time. */
  | { readonly status: 'expired'; readonly error: EmbedError }
  /** Nothing to show. */
  | { readonly status: 'failed'; readonly error: EmbedError };

/** What React shows. A new object only when something to be seen has changed. */
export interface ReportSnapshot {
  readonly state: ReportState;
  /** The iframe of the report and, while it is being renewed, its successor. */
  readonly frames: readonly ReportFrame[];
  /** Whether a person may see the first frame. The second is always out of sight. */
  readonly isShown: boolean;
}

/** One iframe to render, for as long as it is in the list. */
export interface ReportFrame {
  /** Unlike any other frame on the page: the React key. */
  readonly id: number;
  /** Attributes to spread on the iframe. They stay the same objects. */
  readonly props: ReportFrameProps;
}

/** Attributes of an iframe that shows a report. */
export interface ReportFrameProps {
  /** The report's address with the key in it, a secret; absent when the key is concealed. */
  readonly src?: string;
  readonly ref: (element: HTMLIFrameElement | null) => void;
  readonly onLoad: () => void;
}
