import type { Viewer } from './viewer.ts';

/** Who a viewer is, as it was checked: a frozen copy that later changes of the host's session object cannot reach. */
export interface Identity {
  readonly userId: string;
  readonly roleNames: readonly string[];
  readonly limiterKey: string;
}

/** Copies what a `viewer` callback returned, reading each property once. The copy still has to be checked. */
export const copyViewer = ({ userId, roleNames, limiterKey }: Viewer): Viewer =>
  Object.freeze({
    userId,
    ...(roleNames !== undefined && {
      roleNames: Array.isArray(roleNames) ? Object.freeze([...roleNames]) : roleNames,
    }),
    ...(limiterKey !== undefined && { limiterKey }),
  });

/** The identity of a copy that was checked. */
export const identityOf = ({ userId, roleNames = [], limiterKey = userId }: Viewer): Identity => ({
  userId,
  roleNames,
  limiterKey,
});

/** Whether a viewer still is who was checked: the host's session object may change while its request waits. */
export const hasIdentity = (viewer: Viewer, { userId, roleNames, limiterKey }: Identity): boolean => {
  const seen = identityOf(viewer);
  return (
    seen.userId === userId &&
    seen.limiterKey === limiterKey &&
    seen.roleNames.length === roleNames.length &&
    roleNames.every((role, index) => role === seen.roleNames[index])
  );
};
