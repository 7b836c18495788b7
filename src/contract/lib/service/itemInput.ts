/** Related content of an item (docs/interface.md#2.4). */
export interface ItemAdditionalData {
  readonly type: string;
  /** GUID. */
  readonly id: string;
  readonly hasRls: boolean;
}

/** Fields sent to import an item (docs/interface.md#2.4, #4.4). */
export interface ItemInput {
  /** Kind of content: report, dashboard or app; other values are kept. */
  readonly type: string;
  /** GUID of the workspace of the BI platform. */
  readonly workspaceId: string;
  /** GUID of the report in the BI platform. */
  readonly reportId: string;
  readonly displayName: string;
  /** Role names that apply to the item. */
  readonly roles?: readonly string[];
  readonly additionalData?: readonly ItemAdditionalData[];
}
