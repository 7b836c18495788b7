import type { ActionStreamStatus } from './actions/actionStreamStatus.ts';
import type { ReportState } from './frames/reportState.ts';
import type { ReportStore } from './frames/reportStore.ts';

/** What developer tools may see of a report on the page, and do with it. */
export type InspectedReport = Pick<
  ReportStore,
  'itemId' | 'session' | 'getSnapshot' | 'getFrames' | 'refresh'
>;

/** What happens on the page. */
export type InspectionEvent =
  | { readonly type: 'state'; readonly itemId: number; readonly state: ReportState }
  /** A key is about to be requested: an inspector that throws an `EmbedError` simulates a failure. */
  | { readonly type: 'request'; readonly itemId: number; readonly url: string }
  | { readonly type: 'stream'; readonly endpoint: string; readonly status: ActionStreamStatus };

/** Those who want to know: none but in development. */
export const inspectors = new Set<(event: InspectionEvent) => void>();

/** The reports on the page. */
export const inspectedReports = new Set<InspectedReport>();

/** The status of each action stream, by endpoint. */
export const streamStatuses = new Map<string, ActionStreamStatus>();

/** Tells the inspectors. */
export const inspect = (event: InspectionEvent): void => {
  for (const inspector of inspectors) inspector(event);
};
