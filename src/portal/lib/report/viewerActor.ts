import { viewerNumber } from '../actions/viewerNumber.ts';
import type { Actor } from '../audit/writeAuditRecord.ts';
import type { PortalRequest } from '../http/portalRequest.ts';
import type { OpenReport } from './definitions/readReportModel.ts';

/** The viewer of an open report as an audit actor: with the number that webhooks call `currentUser`. */
export const viewerActor = async (
  { services, tenant, access }: OpenReport,
  request: PortalRequest,
): Promise<Actor> => ({
  userId: await viewerNumber(services.db, tenant.id, access.content.userId),
  userEmail: access.content.userId,
  ipAddress: request.ipAddress,
});
