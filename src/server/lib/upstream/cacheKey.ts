/**
 * One text for one (viewer, roles, report). It is JSON, so that no choice of user ID or role name can spell another
 * viewer's text; roles are sorted, because their order means nothing.
 */
export const cacheKey = (userId: string, roleNames: readonly string[], itemId: number): string =>
  JSON.stringify([itemId, userId, [...new Set(roleNames)].sort()]);
