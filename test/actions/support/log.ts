import type { ActionInbox, Publication } from '@vitrine/server/actions';

/** The position of the newest publication. */
export const cursorOf = async (inbox: ActionInbox): Promise<number> => (await inbox.since()).cursor;

/** The publications after a position. */
export const publicationsAfter = async (
  inbox: ActionInbox,
  after: number,
  limit: number,
): Promise<readonly Publication[]> => (await inbox.since(after, limit)).publications;
