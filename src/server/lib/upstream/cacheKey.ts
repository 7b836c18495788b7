/**
 * One text for one (viewer, roles, report). Every part carries its length, so that no choice of user ID or role name
 * can spell another viewer's text; roles are sorted, because their order means nothing.
 */
export const cacheKey = (userId: string, roleNames: readonly string[], itemId: number): string => {
  const parts = [userId, ...[...new Set(roleNames)].sort()];
  return [itemId, ...parts.map((part) => `${part.length}:${part}`)].join('|');
};
