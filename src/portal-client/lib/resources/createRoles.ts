import type { RoleInput } from '@vitrine/contract/service';
import type { CallOptions } from '../http/http.ts';
import type { PortalList } from '../paging/paging.ts';
import type { PortalCall } from './portalCall.ts';
import { listAndCreate, type ResourceTools } from './resourceTools.ts';
import { type Role, roleReader } from './role.ts';

/** Roles of the tenant (docs/interface.md#4.2). The interface cannot change or remove them. */
export interface RolesResource {
  /** GET /v1/roles: all roles. If the service caps the list, further pages are read. */
  readonly list: (options?: CallOptions) => PortalList<Role>;
  /** POST /v1/roles. Sent once. */
  readonly create: (input: RoleInput, options?: CallOptions) => PortalCall<Role>;
}

/** The roles of a client. */
export const createRoles = (tools: ResourceTools): RolesResource =>
  listAndCreate(tools, { path: '/v1/roles', reader: roleReader });
