/**
 * A unique text for (viewer, roles, report). It is JSON, so no user ID or role name can imitate another viewer's text;
 * roles are sorted, because their order is irrelevant.
 */
export const cacheKey = (userId: string, roleNames: readonly string[], itemId: number): string =>
  JSON.stringify([itemId, userId, [...new Set(roleNames)].sort()]);
