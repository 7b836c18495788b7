import type { EmbedError } from '../errors/embedError.ts';

/** How a report is renewed: unnoticed, when the host says so, or not at all. */
export type RefreshPolicy = 'seamless' | 'manual' | 'off';

/** Said once per key under the `manual` policy. */
export interface RefreshDue {
  /** Milliseconds until the report is covered unless it is refreshed; below 0 when it is covered already, after a sleep. */
  readonly endsInMs: number;
  /** Renews the report now. */
  readonly refresh: () => void;
}

/** How the report behaves, and what the host wants to hear. May change at any time. */
export interface ReportViewOptions {
  /**
   * What happens before a key ends. `seamless` (default): the report is renewed unnoticed. `manual`: `onRefreshDue` is called,
   * and the host renews it. `off`: nothing, and the report is covered when its key ends.
   */
  readonly refresh?: RefreshPolicy | undefined;
  /** Milliseconds after which a report that has not loaded is called slow. Default 20 seconds. */
  readonly loadTimeoutMs?: number | undefined;
  /** Called whenever a frame of the report has loaded. */
  readonly onLoad?: (() => void) | undefined;
  /** Called when the report meets an error of another code than before. */
  readonly onError?: ((error: EmbedError) => void) | undefined;
  /** Called when a successor has taken the place of the frame that was shown. */
  readonly onRefresh?: (() => void) | undefined;
  /** Called under the `manual` policy when it is time to renew. */
  readonly onRefreshDue?: ((due: RefreshDue) => void) | undefined;
}
