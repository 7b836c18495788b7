/** A plain value inside a selection. Dates arrive as ISO 8601 text; an integer beyond 2^53 as the text of its digits. */
export type ActionValue = string | number | boolean | null;

/**
 * One value of a selected row and what it belongs to: a column, a measure of the model, or a level of a hierarchy.
 * Names are those of the model; a part that the service left out is absent.
 */
export interface ActionField {
  /** The table of the column; absent for a measure or a hierarchy. */
  readonly table?: string;
  /** The column of the table; absent for a measure or a hierarchy. */
  readonly column?: string;
  /** A measure of the model, which has no column; absent for anything else. */
  readonly measure?: string;
  /** The hierarchy that the level belongs to; absent for a column or a measure. */
  readonly hierarchy?: string;
  /** The level of the hierarchy; absent for a column or a measure. */
  readonly level?: string;
  /** How the column was aggregated: `Sum`, `Average`, `Count` and others; absent when it was not. */
  readonly aggregation?: string;
  /** `null` for a blank. */
  readonly value: ActionValue;
  /** The value as the report shows it; absent when the service does not say. */
  readonly formattedValue?: string;
  /** True when the value is not a plain one; `value` then holds its JSON text. Absent otherwise. */
  readonly isUnclear?: true;
}

/** One selected row: what was selected, and the measures beside it, in the order of the webhook (docs/interface.md#6.1). */
export interface ActionRow {
  /** What was selected. */
  readonly identity: readonly ActionField[];
  /** The measures of the selection. */
  readonly values: readonly ActionField[];
  /** True when a part of the row was not understood and is left out. Absent otherwise. */
  readonly isUnclear?: true;
}

/** A row as one plain object, see `flattenRow`. */
export type FlatActionRow = Readonly<Record<string, ActionValue>>;

/** A viewer's click or selection on a visual, as it reaches the browser (from docs/interface.md#6.1). */
export interface ReportAction {
  /** Identifies the event. The stream's own `id:` is a position, by which a reconnect replays what was missed. */
  readonly id: string;
  /** Item ID as a number, when the backend could resolve it; absent otherwise. */
  readonly itemId?: number;
  /** Item ID as the webhook gives it: a GUID (docs/interface.md#2.4). */
  readonly reportId: string;
  /** Name of the report, as the webhook gives it. */
  readonly reportName: string;
  /** Internal visual ID of the BI platform. */
  readonly visual: string;
  /** When the viewer triggered it, ISO 8601 UTC. */
  readonly triggeredAt: string;
  /** True when the viewer took the selection back (`data: []`). */
  readonly isClear: boolean;
  /** Every selected row of every visual. `flattenRow` makes a plain object of one. */
  readonly rows: readonly ActionRow[];
  /** What the host's handler returned for this viewer, as plain JSON; absent when it returned nothing. */
  readonly result?: unknown;
  /** Asks the component to show the report again, because its data has changed. Default false. */
  readonly refresh?: boolean;
  /** A sentence for the viewer; absent when there is none. */
  readonly message?: string;
}
