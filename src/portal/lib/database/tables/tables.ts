import type { ItemsTable, LinksTable, TasksTable, ViewersTable } from './content.ts';
import type { AuditLogsTable, DeliveryLogTable } from './logs.ts';
import type {
  DirectoryGroupsTable,
  DirectoryMembersTable,
  DirectoryPeopleTable,
  MembershipsTable,
  OrganizationUnitsTable,
  RolesTable,
  UserRolesTable,
  UsersTable,
} from './people.ts';
import type { OperationRowsTable, OrderRowsTable, SalesRowsTable } from './reportRows.ts';
import type { ApiKeysTable, MetaTable, TenantsTable } from './tenants.ts';

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
  delivery_log: DeliveryLogTable;
}
