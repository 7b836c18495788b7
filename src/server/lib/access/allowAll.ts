/**
 * A `canView` that lets every signed-in viewer see every report of the tenant. There is no default for `canView`, so
 * that this decision stands in the host's code for a reviewer to find.
 */
export const allowAll = (): true => true;
