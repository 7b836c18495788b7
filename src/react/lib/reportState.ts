import type { EmbedError } from './errors.ts';

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
  /** Shown with a key that still works, but cannot be renewed at the moment. `since`: when it was last loaded. */
  | { readonly status: 'degraded'; readonly error: EmbedError; readonly since: Date }
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

/** How a report is renewed: seamlessly, by the host, or not at all. */
export type RefreshPolicy = 'seamless' | 'manual' | 'off';

/** Argument of `onRefreshDue`, which is called once per key under the `manual` policy. */
export interface RefreshDue {
  /**
   * Milliseconds until the report is covered unless it is refreshed; 0 or less if it already is, after a suspension.
   */
  readonly expiresInMs: number;
  /** Refreshes the report now. */
  readonly refresh: () => void;
}

/** Argument of `onLoad`: how long the viewer has waited. */
export interface ReportLoad {
  /** Milliseconds from the request of the key to its response; absent if the key is from a cache or a server's HTML. */
  readonly keyMs: number | undefined;
  /** Milliseconds from when the frame was added to the page until it had loaded. */
  readonly frameMs: number;
}

/** The report that a provider's callback is about. */
export interface ReportContext {
  /** The ID of the item that the report shows. */
  readonly itemId: number;
}

/** Callbacks that a provider can set for all reports below it; a report's own are called first. */
export interface ReportCallbacks {
  /** Called when the error changes, and again when a degraded report expires. Default: none. */
  readonly onError?: ((error: EmbedError, context: ReportContext) => void) | undefined;
  /** Called when the report's status or error code changes. Default: none. */
  readonly onStateChange?: ((state: ReportState, context: ReportContext) => void) | undefined;
}

/** Behavior and callbacks of a report. May change at any time. */
export interface ReportOptions extends ReportCallbacks {
  /**
   * What happens before a key expires. `seamless`: the report is renewed without interruption. `manual`: `onRefreshDue`
   * is called, and the host refreshes it. `off`: nothing, and the report is covered when its key expires. Default
   * `seamless`.
   */
  readonly refreshPolicy?: RefreshPolicy | undefined;
  /**
   * Reloads the report with its current key at this interval, in milliseconds and at least ten seconds: for walls and live data. The
   * next frame loads hidden. Nothing is reloaded while the page is hidden or offline, or while the viewer uses the report: the next
   * key ends that. Default: never.
   */
  readonly reloadIntervalMs?: number | undefined;
  /** Milliseconds after which a report that has not loaded counts as slow. Default 20,000. */
  readonly loadTimeoutMs?: number | undefined;
  /** Called whenever a frame of the report has loaded. Never for a frame that the page's policy blocks. Default: none. */
  readonly onLoad?: ((load: ReportLoad) => void) | undefined;
  /** Called under the `manual` policy when it is time to refresh, once per key. Default: none. */
  readonly onRefreshDue?: ((due: RefreshDue) => void) | undefined;
}
