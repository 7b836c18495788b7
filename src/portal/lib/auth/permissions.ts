import { mintPermissions, serviceRoutes } from '@vitrine/contract/service';

/** Permissions of the administration API. The interface only names those of CreateEncryptedKey. */
export const administrationPermissions: readonly string[] = [
  ...new Set(Object.values(serviceRoutes).map(({ permission }) => permission)),
];

/** Whether a permission is one of {@link administrationPermissions}. */
const isAdministrationPermission = (permission: string): boolean =>
  administrationPermissions.includes(permission);

/**
 * Whether a key with these permissions has one. A key that may embed is "the Tenant API Key" and also has all
 * permissions of the administration API, unless it lists finer ones: then it only has those.
 */
export const holdsPermission = (held: readonly string[], needed: string): boolean =>
  held.includes(needed) ||
  (isAdministrationPermission(needed) &&
    !held.some(isAdministrationPermission) &&
    mintPermissions.every((permission) => held.includes(permission)));

/** All permissions of API keys. */
export const allPermissions: readonly string[] = [...mintPermissions, ...administrationPermissions];
