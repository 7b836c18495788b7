/** A plain value inside a selection. Dates arrive as ISO 8601 text. */
export type ActionValue = string | number | boolean | null;

/** One selected row, flattened: `{'Table.Column': value}`. Measures carry their number. */
export type ActionRow = Readonly<Record<string, ActionValue>>;

/** A viewer's click or selection on a visual, as it reaches the browser (from interface 6.1). */
export interface ReportAction {
  /** Identifies the event. The stream's own `id:` is a position, by which a reconnect replays what was missed. */
  readonly id: string;
  /** Item ID as a number, when the backend could resolve it. */
  readonly itemId?: number;
  /** Item ID as the webhook gives it: a GUID (interface 2.4). */
  readonly reportId: string;
  readonly reportName: string;
  /** Internal visual ID of the BI platform. */
  readonly visual: string;
  /** When the viewer triggered it, ISO 8601 UTC. */
  readonly triggeredAt: string;
  /** True when the viewer took the selection back (`data: []`). */
  readonly isClear: boolean;
  readonly rows: readonly ActionRow[];
  /** What the host's handler returned for this viewer, if anything. Plain JSON. */
  readonly result?: unknown;
  /** Asks the component to show the report anew, because its data has changed. */
  readonly refresh?: boolean;
  /** A sentence for the viewer. */
  readonly message?: string;
}
