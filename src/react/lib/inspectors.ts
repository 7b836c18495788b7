import type { ReportState } from './frames/reportState.ts';
import type { ReportStore } from './frames/reportStore.ts';

/**
 * The status of the action stream. `closed`: no listeners, or the page is hidden. `connecting`: no response yet. `open`:
 * actions arrive. `buffered`: nothing arrives, because a proxy collects the response. `retrying`: the connection was
 * lost. `refused`: the backend refuses the stream, or something else responds in its place; check `EmbedProvider`, the
 * proxy and the backend's option `actions`.
 */
export type ActionStreamStatus = 'closed' | 'connecting' | 'open' | 'buffered' | 'retrying' | 'refused';

/** The part of a report that developer tools may read and call. */
export type InspectedReport = Pick<
  ReportStore,
  'itemId' | 'session' | 'getSnapshot' | 'getFrames' | 'refresh'
>;

/** Events on the page. */
export type InspectionEvent =
  | { readonly type: 'state'; readonly itemId: number; readonly state: ReportState }
  /** A key is about to be requested. An inspector may throw an `EmbedError` to simulate a failure. */
  | { readonly type: 'request'; readonly itemId: number; readonly url: string }
  | { readonly type: 'stream'; readonly endpoint: string; readonly status: ActionStreamStatus };

/** Listeners of {@link inspect}. Empty in production. */
export const inspectors = new Set<(event: InspectionEvent) => void>();

/** The reports on the page. */
export const inspectedReports = new Set<InspectedReport>();

/** The status of each action stream, by endpoint. */
export const streamStatuses = new Map<string, ActionStreamStatus>();

/** Passes an event to all inspectors. */
export const inspect = (event: InspectionEvent): void => {
  for (const inspector of inspectors) inspector(event);
};
