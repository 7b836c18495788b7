import type { ItemsTable, LinksTable, TasksTable, ViewersTable } from './contentTables.ts';
import type { AuditLogsTable, DeliveryLogTable } from './logTables.ts';
import type {
  DirectoryGroupsTable,
  DirectoryMembersTable,
  DirectoryPeopleTable,
  MembershipsTable,
  OrganizationUnitsTable,
  RolesTable,
  UserRolesTable,
  UsersTable,
} from './peopleTables.ts';
import type { ApiKeysTable, MetaTable, TenantsTable } from './tenantTables.ts';

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
  delivery_log: DeliveryLogTable;
}
