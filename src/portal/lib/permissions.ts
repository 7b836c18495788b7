import { mintPermissions, serviceRoutes } from '@vitrine/contract/service';

/** Permissions of the administration API. The interface only names those of CreateEncryptedKey. */
export const administrationPermissions: readonly string[] = [
  ...new Set(Object.values(serviceRoutes).map(({ permission }) => permission)),
];

/** All permissions of API keys. */
export const allPermissions: readonly string[] = [...mintPermissions, ...administrationPermissions];
