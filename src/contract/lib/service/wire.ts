/** Path of CreateEncryptedKey under `{api_base_url}` (docs/interface.md#4.6). */
export const createEncryptedKeyPath = '/api/services/app/ItemLinks/CreateEncryptedKey';

/** Header that names the tenant on CreateEncryptedKey (docs/interface.md#4.6). */
export const tenantIdHeader = 'Svc.TenantId';

/** Header that carries the API key on CreateEncryptedKey: `ApiKey <key>` (docs/interface.md#4.6). */
export const apiKeyHeader = 'Authorization';

/** One named field that failed validation, in the envelope dialect. */
interface EnvelopeValidationError {
  readonly message: string;
  readonly members: readonly string[];
}

/** `error` of an {@link Envelope}. */
interface EnvelopeError {
  readonly code: number;
  readonly message: string;
  readonly details: string | null;
  readonly validationErrors: readonly EnvelopeValidationError[] | null;
}

/** The response format of `/api/services/app/...`: ASP.NET Boilerplate's envelope around every result. */
export interface Envelope<TResult> {
  readonly result: TResult | null;
  readonly targetUrl: string | null;
  readonly success: boolean;
  readonly error: EnvelopeError | null;
  readonly unAuthorizedRequest: boolean;
  readonly __abp: true;
}

/** Event types that this project's portal writes; the interface gives three as examples (6.2). Others may arrive. */
export const auditActionTypes = [
  'UserCreated',
  'UserUpdated',
  'UserDeleted',
  'RoleCreated',
  'RoleUpdated',
  'RoleRemoved',
  'OrganizationUnitCreated',
  'OrganizationUnitSynced',
  'OrganizationUnitUpdated',
  'OrganizationUnitRemoved',
  'ItemImported',
  'ItemUpdated',
  'ItemRemoved',
  'ReportViewed',
  'ReportExported',
  'KeyCreated',
  'KeyRevoked',
  'TaskCreated',
  'TaskUpdated',
  'TaskRemoved',
  'TaskExecuted',
  'TaskFailed',
  'ApiKeyCreated',
  'ApiKeyRevoked',
  'DirectoryUpdated',
  'TenantCreated',
  'TenantUpdated',
] as const;

/** Event type of an audit record; unknown types are kept as text. */
export type AuditActionType = (typeof auditActionTypes)[number] | (string & {});

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
interface ActionColumnTarget {
  readonly $schema?: string;
  readonly aggregationFunction?: string;
  readonly table: string;
  readonly column: string;
}

/** A measure of the model, which has no column. */
interface ActionMeasureTarget {
  readonly $schema?: string;
  readonly table: string;
  readonly measure: string;
}

/** A level of a hierarchy. */
interface ActionHierarchyTarget {
  readonly $schema?: string;
  readonly aggregationFunction?: string;
  readonly table: string;
  readonly hierarchy: string;
  readonly hierarchyLevel: string;
}

/** The source of a value in a webhook: the interface shows columns; the BI platform also has measures and levels. */
export type ActionTarget = ActionColumnTarget | ActionMeasureTarget | ActionHierarchyTarget;

/** A selected value of one row (docs/interface.md#6.1 `data[].identity`). */
interface ActionIdentity {
  /** Absent or `null` for a blank. */
  readonly equals?: string | number | boolean | null;
  readonly target: ActionTarget;
}

/** A measure of one row (docs/interface.md#6.1 `data[].values`). */
interface ActionMeasure {
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
