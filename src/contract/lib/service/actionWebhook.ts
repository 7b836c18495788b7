/** Metadata of an Action Task webhook, always present (interface 6.1). */
export interface ActionMetadata {
  /** ISO 8601 UTC. */
  readonly actionTriggeredAt: string;
  /** Base URL of the tenant. */
  readonly clientUrl: string;
  /** Internal number of the user who triggered the action. */
  readonly currentUser: number;
  /** Item ID in its GUID form. */
  readonly reportId: string;
  readonly reportName: string;
  readonly tenancyName: string;
  /** Internal visual ID of the BI platform. */
  readonly visualName: string;
}

/** What was selected in one row (interface 6.1 `data[].identity`). */
export interface ActionIdentity {
  readonly equals: string | number | boolean | null;
  readonly target: { readonly table: string; readonly column: string };
}

/** A measure of one row (interface 6.1 `data[].values`). */
export interface ActionMeasure {
  readonly value: string | number | boolean | null;
  readonly formattedValue: string;
  readonly target: {
    readonly $schema: string;
    readonly aggregationFunction: string;
    readonly table: string;
    readonly column: string;
  };
}

/** One selected row. */
export interface ActionDataPoint {
  readonly identity: readonly ActionIdentity[];
  readonly values: readonly ActionMeasure[];
}

/** The selection in one visual; `data: []` takes it back. */
export interface ActionVisualData {
  readonly visual: string;
  readonly data: readonly ActionDataPoint[];
}

/** Body of an Action Task webhook as the portal of this project sends it. */
export interface ActionWebhookBody {
  readonly metadata: ActionMetadata;
  readonly visualData: readonly ActionVisualData[];
}
