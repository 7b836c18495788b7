import type { ReportAction } from '@vitrine/contract';

/** Which actions to receive. An omitted field matches everything. */
export interface ActionFilter {
  /** The item ID, as in `<EmbeddedReport itemId>`. Default: any. */
  readonly itemId?: number | undefined;
  /** The GUID of the report, for backends that do not know its item ID. Default: any. */
  readonly reportId?: string | undefined;
  /** Internal visual ID of the BI platform. Default: any. */
  readonly visual?: string | undefined;
}

const isSameReport = (action: ReportAction, { itemId, reportId }: ActionFilter): boolean => {
  if (itemId === undefined && reportId === undefined) return true;
  // Webhooks identify a report by GUID, pages by number; the backend adds the number if it knows it.
  if (itemId !== undefined && (action.itemId === itemId || action.reportId === String(itemId))) return true;
  return reportId !== undefined && action.reportId.toLowerCase() === reportId.toLowerCase();
};

/** Whether an action passes a filter. */
export const matchAction = (action: ReportAction, filter: ActionFilter): boolean =>
  (filter.visual === undefined || filter.visual === action.visual) && isSameReport(action, filter);
