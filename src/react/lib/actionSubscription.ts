import type { ReportAction } from '@vitrine/contract';
import type { EmbedKeyOptions } from './keyOptions.ts';

/**
 * The status of the action stream. `closed`: no listeners, or the page is hidden. `connecting`: no response yet. `open`:
 * actions arrive. `buffered`: nothing arrives, because a proxy collects the response. `retrying`: the connection was
 * lost. `refused`: the backend refuses the stream, or something else responds in its place; check `EmbedProvider`, the
 * proxy and the backend's option `actions`.
 */
export type ActionStreamStatus = 'closed' | 'connecting' | 'open' | 'buffered' | 'retrying' | 'refused';

/** Which actions to receive. An omitted field matches everything. */
export interface ActionFilter {
  /** The item ID, as in `<EmbeddedReport itemId>`. Default: any. */
  readonly itemId?: number | undefined;
  /** The GUID of the report, for backends that do not know its item ID. Default: any. */
  readonly reportId?: string | undefined;
  /** Internal visual ID of the BI platform. Default: any. */
  readonly visual?: string | undefined;
}

/** Options of {@link useReportActions}. */
export interface ReportActionsOptions {
  /** Called before `onAction` when an action says that the report's data has changed. Default: none. */
  readonly onDataChange?: (() => void) | undefined;
  /** Called when the status of the action stream changes. Default: none. */
  readonly onStatusChange?: ((status: ActionStreamStatus) => void) | undefined;
}

/** What a listener wants to hear, and whom to call. */
export interface ActionSubscription extends ReportActionsOptions {
  readonly filter: ActionFilter;
  readonly onAction: ((action: ReportAction) => void) | undefined;
}

/** A listener to the actions of one viewer, as it is now. */
export type ActionListener = () => ActionSubscription;

/** The actions of an endpoint and a viewer. */
export interface ActionStream {
  readonly endpoint: string;
  readonly getStatus: () => ActionStreamStatus;
  /** Requests use the options of the newest listener, whose provider is mounted. Returns an unsubscribe function. */
  readonly listen: (keys: EmbedKeyOptions, listener: ActionListener) => () => void;
}
