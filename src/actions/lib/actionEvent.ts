import type { ActionRow, FlatActionRow } from '@vitrine/contract';

/** A note about an event for handlers; the event is handled anyway. */
export type ActionFlag =
  /** The same bytes arrived earlier; see `duplicateOf`. */
  | 'duplicate'
  /** `triggeredAt` is missing or more than 24 hours from the time of receipt. */
  | 'odd-time'
  /** A body parser consumed the original bytes. */
  | 'reserialized'
  /** Metadata that docs/interface.md#6.1 promises is missing. */
  | 'incomplete'
  /** A part of the visual data could not be read; see `isUnparsed` of the rows, and `body`. */
  | 'unparsed-data';

/** The selection in one visual. */
export interface ActionVisual {
  /** Internal visual ID of the BI platform. */
  readonly visual: string;
  readonly rows: readonly ActionRow[];
}

/**
 * A viewer's click or selection in a visual, as a handler on the host's server receives it (docs/interface.md#6.1).
 * `TFlatRow` is the output of the route's schema for a flat row.
 */
export interface ActionEvent<TFlatRow = FlatActionRow> {
  /** ID of the delivery in the inbox. */
  readonly id: string;
  /** Item ID in the webhook's form: a GUID. */
  readonly reportId: string;
  readonly reportName: string;
  /** Internal visual ID of the BI platform. */
  readonly visual: string;
  /** When the viewer triggered it, as sent by the service: ISO 8601 UTC. */
  readonly triggeredAt: string;
  /** Internal user ID of the viewer, as sent by the service; `null` if missing. */
  readonly currentUser: number | string | null;
  readonly tenancyName: string;
  /** Base URL of the tenant. */
  readonly clientUrl: string;
  /** True if the viewer cleared the selection: every visual has `data: []` or `data: null`. */
  readonly isCleared: boolean;
  /** Every selected row of every visual. */
  readonly rows: readonly ActionRow[];
  /** The same rows, each as one plain object with the names of `flattenRow`: `{'Sales[Region]': 'North'}`. */
  readonly flatRows: readonly TFlatRow[];
  /** The same rows by visual. */
  readonly visuals: readonly ActionVisual[];
  /** When the webhook arrived, in milliseconds since 1970. */
  readonly receivedAtMs: number;
  readonly flags: readonly ActionFlag[];
  /** ID of the first delivery with the same bytes. */
  readonly duplicateOf?: string;
  /** The parsed original body, with formatted values and everything that this type omits. */
  readonly body: unknown;
  /** The stored bytes. */
  readonly raw: Uint8Array;
}
