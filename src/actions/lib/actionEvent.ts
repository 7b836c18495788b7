import type { ActionRow, FlatActionRow } from '@vitrine/contract';

/** Something about an event that a handler may want to know; none of it stops the event. */
export type ActionFlag =
  /** The same bytes came before; see `duplicateOf`. */
  | 'duplicate'
  /** `triggeredAt` is missing or more than 24 hours from the time of receipt. */
  | 'odd-time'
  /** A body parser had consumed the original bytes. */
  | 'rebuilt'
  /** Metadata that docs/interface.md#6.1 promises is missing. */
  | 'incomplete'
  /** A part of the visual data was not understood; see `isUnclear` of the rows, and `body`. */
  | 'unclear-data';

/** The selection in one visual. */
export interface ActionVisual {
  /** Internal visual ID of the BI platform. */
  readonly visual: string;
  readonly rows: readonly ActionRow[];
}

/**
 * A viewer's click or selection on a visual, as a handler on the host's server gets it (docs/interface.md#6.1).
 * `TFlatRow` is what the route's schema makes of a flat row.
 */
export interface ActionEvent<TFlatRow = FlatActionRow> {
  /** ID of the delivery in the inbox. */
  readonly id: string;
  /** Item ID in the form the webhook uses: a GUID. */
  readonly reportId: string;
  readonly reportName: string;
  /** Internal visual ID of the BI platform. */
  readonly visual: string;
  /** When the viewer triggered it, as the service wrote it: ISO 8601 UTC. */
  readonly triggeredAt: string;
  /** Internal user ID of the viewer, as the service wrote it; `null` when it is missing. */
  readonly currentUser: number | string | null;
  readonly tenancyName: string;
  /** Base URL of the tenant. */
  readonly clientUrl: string;
  /** True when the viewer took the selection back: every visual came with `data: []` or `data: null`. */
  readonly isClear: boolean;
  /** Every selected row of every visual. */
  readonly rows: readonly ActionRow[];
  /** The same rows, each as one plain object, named as `flattenRow` says: `{'Sales[Region]': 'North'}`. */
  readonly flatRows: readonly TFlatRow[];
  /** The same rows by visual. */
  readonly visuals: readonly ActionVisual[];
  /** When the webhook had arrived, in milliseconds since 1970. */
  readonly receivedAtMs: number;
  readonly flags: readonly ActionFlag[];
  /** ID of the first delivery with the same bytes. */
  readonly duplicateOf?: string;
  /** The parsed body as it came, with formatted values and everything this type leaves out. */
  readonly body: unknown;
  /** The stored bytes. */
  readonly raw: Uint8Array;
}
