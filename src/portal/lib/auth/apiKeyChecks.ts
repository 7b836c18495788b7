import { PortalFailure } from '../http/portalFailure.ts';
import type { ApiKey } from './callers.ts';
import { holdsPermission } from './permissions.ts';

/** Reads a header of the form `<scheme> <key>`; the scheme in any case, separated by one or more spaces. */
export const credentialOf = (header: string | undefined, scheme: string): string | undefined => {
  const match = /^(\S+) +(\S+)$/.exec(header ?? '');
  return match?.[1]?.toLowerCase() === scheme.toLowerCase() ? match[2] : undefined;
};

/** Creates a 401 with the challenge of the scheme (RFC 9110, 11.6.1). */
export const unauthorized = (
  scheme: 'Bearer' | 'ApiKey',
  message: string,
  field = 'Authorization',
): PortalFailure =>
  new PortalFailure(message, {
    status: 401,
    code: 'unauthorized',
    headers: { 'www-authenticate': `${scheme} realm="vitrine portal"` },
    fields: [{ field, message }],
  });

/** Throws 403 with the missing permissions. */
export const requirePermissions = (
  apiKey: ApiKey,
  needed: readonly string[],
  field = 'Authorization',
): void => {
  const missing = needed.filter((permission) => !holdsPermission(apiKey.permissions, permission));
  if (missing.length > 0)
    throw new PortalFailure(`The API key "${apiKey.name}" lacks the permission ${missing.join(' and ')}.`, {
      status: 403,
      code: 'forbidden',
      fields: [{ field, message: `lacks the permission ${missing.join(' and ')}` }],
    });
};
