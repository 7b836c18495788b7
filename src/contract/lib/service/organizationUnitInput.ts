/** Parent identifier of the units at the top of the hierarchy. */
export const rootOrganizationUnitId = 'root';

/** Fields sent to create an organizational unit (docs/interface.md#2.3, #4.3). */
export interface OrganizationUnitInput {
  readonly name: string;
  readonly parentId: string;
  /** GUID of a security group in the identity directory, used by synchronization. */
  readonly directoryGroupId?: string | null;
}
