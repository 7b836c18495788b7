/** Everything needed to use one tenant of a service. */
export interface TenantAccess {
  /** `{base_url}` of the interface. */
  readonly baseUrl: string;
  /** `{api_base_url}` of the interface. */
  readonly apiBaseUrl: string;
  /** `{tenant_url}` of the interface. */
  readonly tenantUrl: string;
  readonly tenantId: number;
  readonly tenancyName: string;
  readonly apiKey: string;
  readonly passPhrase: string;
}

/**
 * What a check does to a service. `read` only reads; `mint` creates an encrypted key and opens a report with it;
 * `write` creates users, roles, organizational units and items, of which only users can be removed again.
 */
export type Effect = 'read' | 'mint' | 'write';

/** A request that a webhook receiver got, and the click that it came from. */
export interface CapturedAction {
  readonly method: string;
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** How many rows were selected. */
  readonly rows: number;
  readonly itemGuid: string;
  readonly itemName: string;
  readonly visual: string;
  /** Secret of the task; undefined if it has none. */
  readonly secret?: string | undefined;
}

/** A service to check, and the allowed effects. */
export interface Target extends TenantAccess {
  /** Name of the header with the tenant's number. Default of the interface: `Svc.TenantId`. */
  readonly tenantIdHeader: string;
  readonly permits: ReadonlySet<Effect>;
  /** A second tenant of the same service, to check the isolation of tenants. */
  readonly secondTenant?: TenantAccess | undefined;
  /** A key of the tenant that lacks the permissions of 4.6. */
  readonly apiKeyWithoutPermissions?: string | undefined;
  /** A security group of the identity directory with at least one member. */
  readonly directoryGroupId?: string | undefined;
  /** Item ID of a report to embed. Default: the first report of `GET /v1/items` that needs no roles. */
  readonly itemId?: number | undefined;
  /** Item ID of a second report. Default: another report of `GET /v1/items`. */
  readonly otherItemId?: number | undefined;
  /** Item ID of a report with row-level security. Default: the first item with `hasRls`. */
  readonly rlsItemId?: number | undefined;
  /** Code of an RLS role. Default: the first of `GET /v1/roles`. */
  readonly roleName?: string | undefined;
  /** Code of an RLS role whose rows differ from those of `roleName` in the report page. */
  readonly otherRoleName?: string | undefined;
  /** A user whose rows differ from those of an unknown user, by a rule with `USERNAME()`. */
  readonly viewer?: string | undefined;
  /** Captured webhook requests. Default: the checks of webhooks have no result. */
  readonly actions?: readonly CapturedAction[] | undefined;
}
