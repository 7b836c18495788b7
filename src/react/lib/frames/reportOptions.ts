import type { EmbedError } from '../errors/embedError.ts';
import type { ReportState } from './reportState.ts';

/** How a report is renewed: seamlessly, by the host, or not at all. */
export type RefreshPolicy = 'seamless' | 'manual' | 'off';

/** Argument of `onRefreshDue`, which is called once per key under the `manual` policy. */
export interface RefreshDue {
  /**
   * Milliseconds until the report is covered unless it is refreshed; 0 or less if it already is, after a suspension.
   */
  readonly expiresInMs: number;
  /** Refreshes the report now. Resolves when the new frame is visible; rejects with an {@link EmbedError}. */
  readonly refresh: () => Promise<void>;
}

/** The report that a provider's callback is about. */
export interface ReportContext {
  /** The ID of the item that the report shows. */
  readonly itemId: number;
}

/** Callbacks that a provider can set for all reports below it. A report's own callbacks replace them. */
export interface ReportCallbacks {
  /** Called when the error changes, and again when a degraded report expires. Default: none. */
  readonly onError?: ((error: EmbedError, context: ReportContext) => void) | undefined;
  /** Called when the report's status or error code changes. Default: none. */
  readonly onStateChange?: ((state: ReportState, context: ReportContext) => void) | undefined;
}

/** Default of {@link ReportOptions.loadTimeoutMs}. */
export const defaultLoadTimeoutMs = 20_000;

/** Behavior and callbacks of a report. May change at any time. */
export interface ReportOptions extends ReportCallbacks {
  /**
   * What happens before a key expires. `seamless`: the report is renewed without interruption. `manual`: `onRefreshDue`
   * is called, and the host refreshes it. `off`: nothing, and the report is covered when its key expires. Default
   * `seamless`.
   */
  readonly refreshPolicy?: RefreshPolicy | undefined;
  /** Milliseconds after which a report that has not loaded counts as slow. Default 20,000. */
  readonly loadTimeoutMs?: number | undefined;
  /** Called whenever a frame of the report has loaded. Never for a frame that the page's policy blocks. Default: none. */
  readonly onLoad?: (() => void) | undefined;
  /** Called when a renewed frame has replaced the visible one. Default: none. */
  readonly onRefreshed?: (() => void) | undefined;
  /** Called under the `manual` policy when it is time to refresh, once per key. Default: none. */
  readonly onRefreshDue?: ((due: RefreshDue) => void) | undefined;
}
