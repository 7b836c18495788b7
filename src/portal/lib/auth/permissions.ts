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

/** Permission an operation of the administration interface asks for. */
export type AdministrationPermission = (typeof administrationPermissions)[number];

/** Every permission an API key can hold. */
export const allPermissions: readonly string[] = [...mintPermissions, ...administrationPermissions];
