import type { ActionInbox, Publication } from '@vitrine/server/actions';

/** The position of the newest publication. */
export const cursorOf = async (inbox: ActionInbox): Promise<number> => (await inbox.since()).cursor;

/** The publications after a position. */
export const publicationsAfter = async (
  inbox: ActionInbox,
  after: number,
  limit: number,
): Promise<readonly Publication[]> => (await inbox.since(after, limit)).publications;

/** Claims until it holds that many deliveries. */
export const claimAll = async (inbox: ActionInbox, count: number) => {
  const claims = [];
  while (claims.length < count)
    claims.push(...(await inbox.claim({ leaseMs: 60_000, limit: count - claims.length })));
  return claims.sort((a, b) => Number(a.id) - Number(b.id));
};
