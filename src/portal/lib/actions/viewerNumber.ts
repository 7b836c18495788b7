import { emailKey } from '@vitrine/contract/service';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables/tables.ts';

/** First number of viewers that are not users of the portal, so that they never equal a user's. */
const firstViewerNumber = 1_000_000_000;

/** Whether a number belongs to a viewer who is not a user of the portal. */
export const isViewerNumber = (number: number): boolean => number > firstViewerNumber;

/**
 * The portal's internal number of an embedded viewer, `currentUser` of webhooks: the number of the user with this email
 * address, else one that is assigned to the identity on its first action.
 */
export const viewerNumber = async (db: Kysely<Tables>, tenantId: number, userId: string): Promise<number> => {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('email_key', '=', emailKey(userId))
    .executeTakeFirst();
  if (user !== undefined) return user.id;
  await db
    .insertInto('viewers')
    .values({ tenant_id: tenantId, user_id: userId })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'user_id']).doNothing())
    .execute();
  const viewer = await db
    .selectFrom('viewers')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return firstViewerNumber + viewer.id;
};
