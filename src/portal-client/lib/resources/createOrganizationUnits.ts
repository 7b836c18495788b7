import type { OrganizationUnitInput } from '@vitrine/contract/service';
import type { CallOptions } from '../http/http.ts';
import { path } from '../http/path.ts';
import type { PortalList } from '../paging/paging.ts';
import { collect } from '../paging/paging.ts';
import { unwrap } from '../responses/success.ts';
import {
  type OrganizationUnit,
  type OrganizationUnitSync,
  organizationUnitReader,
  readOrganizationUnitSync,
} from './organizationUnit.ts';
import { type OrganizationUnitTree, organizationUnitTree } from './organizationUnitTree.ts';
import { type PortalCall, portalCall, toResponse } from './portalCall.ts';
import { listAndCreate, type ResourceTools } from './resourceTools.ts';

/** Organizational units of the tenant (docs/interface.md#4.3). The interface cannot change or remove them. */
export interface OrganizationUnitsResource {
  /** GET /v1/organization-units: all units. If the service caps the list, further pages are read. */
  readonly list: (options?: CallOptions) => PortalList<OrganizationUnit>;
  /** The same list as a hierarchy. */
  readonly tree: (options?: CallOptions) => Promise<OrganizationUnitTree>;
  /** POST /v1/organization-units. `parentId` is `root` at the top (assumed). Sent once. */
  readonly create: (input: OrganizationUnitInput, options?: CallOptions) => PortalCall<OrganizationUnit>;
  /** POST /v1/organization-units/{ouId}/sync: synchronizes with the linked security group now. Sent once. */
  readonly sync: (organizationUnitId: string, options?: CallOptions) => PortalCall<OrganizationUnitSync>;
}

/** The organizational units of a client. */
export const createOrganizationUnits = (tools: ResourceTools): OrganizationUnitsResource => {
  const resource = listAndCreate<OrganizationUnit, OrganizationUnitInput>(tools, {
    path: '/v1/organization-units',
    reader: organizationUnitReader,
  });
  return {
    ...resource,
    tree: async (options) => organizationUnitTree(await collect(resource.list(options))),
    sync: (organizationUnitId, options) =>
      portalCall(
        tools
          .send({ method: 'POST', path: path`/v1/organization-units/${organizationUnitId}/sync`, ...options })
          .then((response) => toResponse(response, readOrganizationUnitSync(unwrap(response.body)))),
      ),
  };
};
