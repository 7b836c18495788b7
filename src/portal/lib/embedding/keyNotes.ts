/** When a key expires, and the requested expiry if it was shortened. */
export interface KeyEnd {
  readonly expiresAtMs: number;
  readonly requestedExpiresAtMs?: number;
}

/** Notes for developers about an issued key, for the request log. */
export const keyNotes = ({
  end,
  item,
  roleNames,
  rolesWithoutRule,
}: {
  readonly end: KeyEnd;
  readonly item: { readonly id: number; readonly has_rls: number };
  readonly roleNames: readonly string[];
  readonly rolesWithoutRule: readonly string[];
}): string[] => [
  ...(end.requestedExpiresAtMs === undefined
    ? []
    : [
        `value.expiration: ${new Date(end.requestedExpiresAtMs).toISOString()} was shortened to ${new Date(end.expiresAtMs).toISOString()}; a key is valid for at most 24 hours.`,
      ]),
  ...(item.has_rls === 1 && roleNames.length === 0
    ? [
        `value.roleNames: no roles, and item ${item.id} filters rows, so the viewer sees only the rows for value.userId.`,
      ]
    : []),
  ...(item.has_rls === 1
    ? rolesWithoutRule.map(
        (code) =>
          `value.roleNames: the role "${code}" has no row rule and shows no rows of item ${item.id}. Add a rule in the console or in a seed.`,
      )
    : []),
];
