import { mintPermissions } from '@vitrine/contract';

/**
 * Permissions of the administration API. These are ours: the interface only names those of CreateEncryptedKey.
 */
export const administrationPermissions = [
  'Administration.Users',
  'Administration.Roles',
  'Administration.OrganizationUnits',
  'Administration.Items',
  'Administration.Tasks',
  'Administration.Links',
  'Administration.AuditLogs',
] as const;

/** Whether a permission is one of {@link administrationPermissions}. */
const isAdministrationPermission = (permission: string): boolean =>
  administrationPermissions.some((known) => known === permission);

/**
 * Whether a key with these permissions has one. A key that may embed is "the Tenant API Key" and also has all
 * permissions of the administration API, unless it lists finer ones: then it only has those.
 */
export const holdsPermission = (held: readonly string[], needed: string): boolean =>
  held.includes(needed) ||
  (isAdministrationPermission(needed) &&
    !held.some(isAdministrationPermission) &&
    mintPermissions.every((permission) => held.includes(permission)));

/** Permission that an operation of the administration API requires. */
export type AdministrationPermission = (typeof administrationPermissions)[number];

/** All permissions of API keys. */
export const allPermissions: readonly string[] = [...mintPermissions, ...administrationPermissions];
