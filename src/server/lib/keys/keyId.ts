/**
 * One text for one (viewer, roles, report). Every part carries its length, so that no choice of user ID or role name
 * can spell another viewer's text; roles are sorted, because their order means nothing.
 */
export const keyId = (userId: string, roleNames: readonly string[] | undefined, itemId: number): string => {
  let id = `${itemId}|${userId.length}:${userId}`;
  if (roleNames === undefined || roleNames.length === 0) return id;
  const sorted = roleNames.length === 1 ? roleNames : [...new Set(roleNames)].sort();
  for (const role of sorted) id += `|${role.length}:${role}`;
  return id;
};
