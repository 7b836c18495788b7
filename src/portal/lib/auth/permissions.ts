import { mintPermissions } from '@vitrine/contract';

/** Permissions of the administration interface: the interface names only those of CreateEncryptedKey, these are ours. */
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
 * Whether a key with these permissions holds one. A key that may embed is "the Tenant API Key" and holds every
 * permission of the administration interface too, unless it names finer ones: then it holds those alone.
 */
export const holdsPermission = (held: readonly string[], needed: string): boolean =>
  held.includes(needed) ||
  (isAdministrationPermission(needed) &&
    !held.some(isAdministrationPermission) &&
    mintPermissions.every((permission) => held.includes(permission)));

/** Permission an operation of the administration interface asks for. */
export type AdministrationPermission = (typeof administrationPermissions)[number];

/** Every permission an API key can hold. */
export const allPermissions: readonly string[] = [...mintPermissions, ...administrationPermissions];
