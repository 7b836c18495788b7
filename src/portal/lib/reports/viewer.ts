import { emailKey } from '@vitrine/contract/service';
import { type Actor, change } from '../change.ts';
import type { PortalRequest } from '../http/portalRequest.ts';
import type { OpenReport } from './reportAccess.ts';

/** First number of viewers that are not users of the portal, so that they never equal a user's. */
const firstViewerNumber = 1_000_000_000;

/** Whether a number belongs to a viewer who is not a user of the portal. */
export const isViewerNumber = (number: number): boolean => number > firstViewerNumber;

/**
 * The portal's internal number of the viewer, `currentUser` of webhooks: the number of the user with this email address,
 * else one that is assigned to the identity on its first action.
 */
const viewerNumber = async ({ services: { db }, tenant, content }: OpenReport): Promise<number> => {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('tenantId', '=', tenant.id)
    .where('emailKey', '=', emailKey(content.userId))
    .executeTakeFirst();
  if (user !== undefined) return user.id;
  const { userId } = content;
  const viewer = await db
    .insertInto('viewers')
    .values({ tenantId: tenant.id, userId })
    .onConflict((known) => known.columns(['tenantId', 'userId']).doUpdateSet({ userId }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return firstViewerNumber + viewer.id;
};

/** The viewer of an open report as an actor of the audit log. */
export const viewerActor = async (
  report: OpenReport,
  ipAddress: string,
): Promise<Actor & { readonly userId: number }> => ({
  userId: await viewerNumber(report),
  userEmail: report.content.userId,
  ipAddress,
});

/** Writes into the audit log what the viewer of a report does. */
export const recordViewer = async (
  report: OpenReport,
  { ipAddress }: PortalRequest,
  [what, noun, verb]: readonly ['ReportViewed' | 'ReportExported', noun: string, verb: string],
  details: object = {},
): Promise<void> => {
  const { services, tenant, item, content } = report;
  const { linkId, roleNames, userId } = content;
  const actor = await viewerActor(report, ipAddress);
  await change({ services, tenant, actor }, what, async () => ({
    resourceType: 'Item',
    id: item.id,
    description: `${noun} "${item.displayName}" ${verb} by ${userId}.`,
    details: { ...details, linkId, roleNames },
  }));
};
