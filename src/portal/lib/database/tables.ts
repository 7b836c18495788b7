import type { ColumnType, Generated } from 'kysely';

/** A JSON document kept as text, the same in SQLite and Postgres. */
type Json = string;
/** 0 or 1: the one form both databases agree on. */
type Flag = number;
/** Milliseconds since 1970-01-01T00:00:00Z. */
type Milliseconds = number;
/** Set on insert, never changed. */
type Fixed<TValue> = ColumnType<TValue, TValue, never>;

export interface TenantsTable {
  id: Fixed<number>;
  tenancy_name: Fixed<string>;
  display_name: string;
  passphrase_digest: string;
  /** 32 random bytes, base64: seals and opens this tenant's encrypted keys. */
  seal_key: string;
  /** Sources allowed to frame the report pages, as in CSP `frame-ancestors`. */
  frame_ancestors: string;
  /** Number of the newest audit record: the records of a tenant are numbered without holes. */
  audit_seq: number;
  profile: Json;
  /** Rows that imported items draw; a copied tenant shares those of its template. */
  dataset: string;
  is_template: Flag;
  created_at: Fixed<Milliseconds>;
}

export interface ApiKeysTable {
  id: Generated<number>;
  tenant_id: number;
  name: string;
  /** SHA-256 of the key, hex. The key itself is kept nowhere. */
  digest: string;
  permissions: Json;
  /** User the key was issued to: who the audit log names. */
  user_id: number | null;
  revoked_at: Milliseconds | null;
  created_at: Milliseconds;
}

export interface UsersTable {
  id: Generated<number>;
  tenant_id: number;
  type: string;
  email: string;
  /** Lower case, for uniqueness. */
  email_key: string;
  first_name: string;
  last_name: string;
  is_active: Flag;
  directory_person_id: string | null;
  created_at: Milliseconds;
  updated_at: Milliseconds;
  last_login_at: Milliseconds | null;
}

export interface RolesTable {
  id: Generated<number>;
  tenant_id: number;
  name: string;
  name_key: string;
  type: string;
  code: string | null;
  description: string;
  is_system: Flag;
  /** Row rule of an RLS role, see `RowRule`. */
  rule: Json | null;
  created_at: Milliseconds;
}

export interface UserRolesTable {
  tenant_id: number;
  user_id: number;
  role_id: number;
}

export interface OrganizationUnitsTable {
  id: Generated<number>;
  tenant_id: number;
  name: string;
  /** Null at the top. */
  parent_id: number | null;
  directory_group_id: string | null;
  created_at: Milliseconds;
}

export interface MembershipsTable {
  tenant_id: number;
  user_id: number;
  organization_unit_id: number;
  /** `manual` or `directory`; a synchronization removes only what one added. */
  source: string;
}

export interface DirectoryGroupsTable {
  tenant_id: number;
  id: string;
  name: string;
}

export interface DirectoryPeopleTable {
  tenant_id: number;
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  type: string;
}

export interface DirectoryMembersTable {
  tenant_id: number;
  group_id: string;
  person_id: string;
}

export interface ItemsTable {
  tenant_id: number;
  /** The Item ID as a number, unique in its tenant. */
  id: number;
  /** The Item ID as a GUID. */
  guid: string;
  type: string;
  workspace_id: string;
  report_id: string;
  display_name: string;
  roles: Json;
  additional_data: Json;
  has_rls: Flag;
  /** Which report page draws the item. */
  report: string;
  /** Which rows it draws. */
  dataset: string;
  created_at: Milliseconds;
}

export interface TasksTable {
  id: Generated<number>;
  tenant_id: number;
  name: string;
  description: string;
  kind: string;
  item_id: number | null;
  visual_names: Json;
  webhook_url: string | null;
  secret: string | null;
  query: string | null;
  is_enabled: Flag;
  created_at: Milliseconds;
}

export interface LinksTable {
  id: Generated<number>;
  tenant_id: number;
  kind: string;
  name: string;
  item_id: number;
  user_id: string | null;
  expires_at: Milliseconds | null;
  revoked_at: Milliseconds | null;
  created_at: Milliseconds;
}

export interface ViewersTable {
  id: Generated<number>;
  tenant_id: number;
  user_id: string;
}

export interface AuditLogsTable {
  id: Generated<number>;
  tenant_id: number;
  /** 1, 2, 3 … per tenant without holes, so that page 1000 costs what page 1 costs. */
  seq: number;
  action_type: string;
  at: Milliseconds;
  user_id: number | null;
  user_email: string | null;
  resource_type: string;
  resource_id: string;
  description: string;
  result: string;
  ip_address: string | null;
  details: Json;
}

export interface SalesRowsTable {
  dataset: string;
  id: number;
  /** First day of the month, `YYYY-MM`. */
  month: string;
  region: string;
  product: string;
  channel: string;
  /** Who looks after the account: what USERNAME()-style rules compare with. */
  owner: string;
  units: number;
  revenue_cents: number;
  cost_cents: number;
}

export interface OperationRowsTable {
  dataset: string;
  id: number;
  /** `YYYY-MM-DD`. */
  day: string;
  site: string;
  line: string;
  produced: number;
  defects: number;
  downtime_minutes: number;
}

export interface OrderRowsTable {
  dataset: string;
  id: number;
  order_number: string;
  ordered_on: string;
  customer: string;
  region: string;
  product: string;
  owner: string;
  status: string;
  quantity: number;
  amount_cents: number;
}

export interface RequestLogTable {
  id: Generated<number>;
  at: Milliseconds;
  tenant_id: number | null;
  tenancy_name: string | null;
  kind: string;
  method: string;
  path: string;
  query: string;
  request_headers: Json;
  request_body: string | null;
  status: number;
  response_body: string | null;
  duration_ms: number;
  ip_address: string | null;
  request_id: string;
  fault: string | null;
}

export interface DeliveryLogTable {
  id: Generated<number>;
  tenant_id: number;
  task_id: number;
  /** Address without query and credentials. */
  url: string;
  at: Milliseconds;
  visual: string;
  body: string;
  /** HTTP status, or null when no answer came. */
  status: number | null;
  /** `delivered`, `failed` or `lost`. */
  outcome: string;
  error: string | null;
  duration_ms: number;
  replay_of: number | null;
}

export interface MetaTable {
  key: string;
  value: string;
}

/** Every table of the portal. */
export interface Tables {
  meta: MetaTable;
  tenants: TenantsTable;
  api_keys: ApiKeysTable;
  users: UsersTable;
  roles: RolesTable;
  user_roles: UserRolesTable;
  organization_units: OrganizationUnitsTable;
  memberships: MembershipsTable;
  directory_groups: DirectoryGroupsTable;
  directory_people: DirectoryPeopleTable;
  directory_members: DirectoryMembersTable;
  items: ItemsTable;
  tasks: TasksTable;
  links: LinksTable;
  viewers: ViewersTable;
  audit_logs: AuditLogsTable;
  sales_rows: SalesRowsTable;
  operation_rows: OperationRowsTable;
  order_rows: OrderRowsTable;
  request_log: RequestLogTable;
  delivery_log: DeliveryLogTable;
}
