import type { Generated } from 'kysely';
import type { Flag, Json, Milliseconds } from './columnTypes.ts';

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
  /** `manual` or `directory`; a synchronization only removes memberships of synchronizations. */
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
