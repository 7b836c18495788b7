/** Metadata of an Action Task webhook, always present (docs/interface.md#6.1). */
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

/** A column of the model, possibly aggregated (docs/interface.md#6.1). */
export interface ActionColumnTarget {
  readonly $schema?: string;
  readonly aggregationFunction?: string;
  readonly table: string;
  readonly column: string;
}

/** A measure of the model, which has no column. */
export interface ActionMeasureTarget {
  readonly $schema?: string;
  readonly table: string;
  readonly measure: string;
}

/** A level of a hierarchy. */
export interface ActionHierarchyTarget {
  readonly $schema?: string;
  readonly aggregationFunction?: string;
  readonly table: string;
  readonly hierarchy: string;
  readonly hierarchyLevel: string;
}

/** The source of a value in a webhook: the interface shows columns; the BI platform also has measures and levels. */
export type ActionTarget = ActionColumnTarget | ActionMeasureTarget | ActionHierarchyTarget;

/** A selected value of one row (docs/interface.md#6.1 `data[].identity`). */
export interface ActionIdentity {
  /** Absent or `null` for a blank. */
  readonly equals?: string | number | boolean | null;
  readonly target: ActionTarget;
}

/** A measure of one row (docs/interface.md#6.1 `data[].values`). */
export interface ActionMeasure {
  readonly value?: string | number | boolean | null;
  readonly formattedValue?: string;
  readonly target: ActionTarget;
}

/** One selected row. */
export interface ActionDataPoint {
  readonly identity: readonly ActionIdentity[];
  readonly values: readonly ActionMeasure[];
}

/** The selection in one visual; `data: []` clears it. Portals other than this project's also send `null`. */
export interface ActionVisualData {
  readonly visual: string;
  readonly data: readonly ActionDataPoint[];
}

/** Body of an Action Task webhook as this project's portal sends it. */
export interface ActionWebhookBody {
  readonly metadata: ActionMetadata;
  readonly visualData: readonly ActionVisualData[];
}
