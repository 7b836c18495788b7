import { emailKey } from '@vitrine/contract/service';
import { type Actor, change } from '../change.ts';
import { type Place, rowsOf } from '../database/tenantRows.ts';
import type { PortalRequest } from '../http/portalRequest.ts';
import type { OpenReport } from './reportAccess.ts';

/** First number of viewers that are not users of the portal, so that they never equal a user's. */
const firstViewerNumber = 1_000_000_000;

/** Whether an ID is the number of a viewer who is not a user of the portal. */
export const isViewer = async (place: Place, given: unknown): Promise<boolean> =>
  Number(given) > firstViewerNumber &&
  (await rowsOf(place, 'viewers')).some(({ id }) => String(firstViewerNumber + id) === given);

/**
 * The viewer of an open report as an actor of the audit log. Its number, `currentUser` of webhooks, is that of the user
 * with this email address, else one that is assigned to the identity on its first action.
 */
export const viewerActor = async (
  { services: { db }, tenant: { id: tenantId }, content: { userId } }: OpenReport,
  ipAddress: string,
): Promise<Actor & { readonly userId: number }> => {
  const user = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('tenantId', '=', tenantId)
    .where('emailKey', '=', emailKey(userId))
    .executeTakeFirst();
  if (user !== undefined) return { userId: user.id, userEmail: user.email, ipAddress };
  const { id } = await db
    .insertInto('viewers')
    .values({ tenantId, userId })
    .onConflict((known) => known.columns(['tenantId', 'userId']).doUpdateSet({ userId }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return { userId: firstViewerNumber + id, userEmail: userId, ipAddress };
};

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
