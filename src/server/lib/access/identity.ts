import type { Viewer } from './viewer.ts';

/** The checked identity of a viewer: a frozen copy, independent of later changes to the host's session object. */
export interface Identity {
  readonly userId: string;
  /** Undefined is not the same as an empty list: the portal gets what the host returned. */
  readonly roleNames: readonly string[] | undefined;
  readonly limiterKey: string;
}

/** Copies the result of a `viewer` callback, reading each property once. The copy is not yet checked. */
export const copyViewer = ({ userId, roleNames, limiterKey }: Viewer): Viewer =>
  Object.freeze({
    userId,
    ...(roleNames !== undefined && {
      roleNames: Array.isArray(roleNames) ? Object.freeze([...roleNames]) : roleNames,
    }),
    ...(limiterKey !== undefined && { limiterKey }),
  });

/** Converts a checked copy to an identity. */
export const identityOf = ({ userId, roleNames, limiterKey = userId }: Viewer): Identity => ({
  userId,
  roleNames,
  limiterKey,
});

/** Whether a viewer still has the checked identity: the host's session object may change while its request waits. */
export const hasIdentity = (viewer: Viewer, { userId, roleNames, limiterKey }: Identity): boolean => {
  const seen = identityOf(viewer);
  return (
    seen.userId === userId &&
    seen.limiterKey === limiterKey &&
    seen.roleNames?.length === roleNames?.length &&
    (roleNames ?? []).every((role, index) => role === seen.roleNames?.[index])
  );
};
