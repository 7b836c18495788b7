/**
 * A `canView` that shows every report of the tenant to every signed-in viewer. `canView` has no default, so that this
 * decision is visible in the host's code.
 */
export const allowAll = (): true => true;
