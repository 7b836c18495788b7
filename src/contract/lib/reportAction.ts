/** A plain value inside a selection. Dates are ISO 8601 text; integers beyond 2^53 are decimal text. */
export type ActionValue = string | number | boolean | null;

/**
 * One value of a selected row and what it belongs to: a column, a measure of the model, or a level of a hierarchy.
 * Names come from the model; parts that the service omits are absent.
 */
export interface ActionField {
  /** The table of the column; absent for a measure or a hierarchy. */
  readonly table?: string;
  /** The column of the table; absent for a measure or a hierarchy. */
  readonly column?: string;
  /** A measure of the model; absent for a column or a level. */
  readonly measure?: string;
  /** The hierarchy that the level belongs to; absent for a column or a measure. */
  readonly hierarchy?: string;
  /** The level of the hierarchy; absent for a column or a measure. */
  readonly level?: string;
  /** How the column is aggregated: `Sum`, `Average`, `Count` and others; absent when it isn't. */
  readonly aggregation?: string;
  /** `null` for a blank. */
  readonly value: ActionValue;
  /** The value as the report shows it; absent when the service does not say. */
  readonly formattedValue?: string;
  /** True when the value is an object or a list (`value` is its JSON text), or its field has no name. Absent otherwise. */
  readonly isUnparsed?: true;
}

/**
 * One selected row: the selected fields, and the measures next to them, in the order of the webhook
 * (docs/interface.md#6.1).
 */
export interface ActionRow {
  /** The selected fields. */
  readonly identity: readonly ActionField[];
  /** The measures of the selection. */
  readonly values: readonly ActionField[];
  /** True when a part of the row is missing because it could not be read. Absent otherwise. */
  readonly isUnparsed?: true;
}

/** A row as one plain object; see `flattenRow`. */
export type FlatActionRow = Readonly<Record<string, ActionValue>>;

/** A viewer's click or selection on a visual, as it reaches the browser (from docs/interface.md#6.1). */
export interface ReportAction {
  /** Identifies the event. The stream's own `id:` is a position, from which a reconnect replays missed events. */
  readonly id: string;
  /** Item ID as a number, when the backend could resolve it; absent otherwise. */
  readonly itemId?: number;
  /** Item ID in the form of the webhook: a GUID (docs/interface.md#2.4). */
  readonly reportId: string;
  /** Name of the report, from the webhook. */
  readonly reportName: string;
  /** Internal visual ID of the BI platform. */
  readonly visual: string;
  /** When the viewer triggered it, ISO 8601 UTC. */
  readonly triggeredAt: string;
  /** True when the viewer cleared the selection (`data: []`). */
  readonly isCleared: boolean;
  /** Every selected row of every visual. `flattenRow` converts one to a plain object. */
  readonly rows: readonly ActionRow[];
  /** The host handler's return value for this viewer, as plain JSON; absent when it returned nothing. */
  readonly result?: unknown;
  /** Asks the component to reload the report because its data has changed. Default false. */
  readonly refresh?: boolean;
  /** A sentence for the viewer; absent if there is none. */
  readonly message?: string;
  /**
   * True when this viewer has already got a newer action of the report, whose handler ended earlier: `onAction` leaves it
   * out, so that the page shows the last click. Absent otherwise.
   */
  readonly isSuperseded?: true;
}
