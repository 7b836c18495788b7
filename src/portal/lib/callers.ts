import { mintPermissions } from '@vitrine/contract/service';
import type { Kysely } from 'kysely';
import type { Actor } from './change.ts';
import type { Tables } from './database/schema.ts';
import { PortalFailure } from './http/portalFailure.ts';
import type { PortalRequest } from './http/portalRequest.ts';
import { administrationPermissions } from './permissions.ts';
import { secretDigest } from './secretDigest.ts';
import type { Tenant } from './tenant.ts';

/** A known API key. */
export interface ApiKey {
  readonly id: number;
  readonly name: string;
  readonly permissions: readonly string[];
  /** User that the key was issued to, if any. */
  readonly userId: number | null;
  readonly userEmail: string | null;
}

/** The caller of a request: an API key and its tenant. */
export interface Caller {
  readonly apiKey: ApiKey;
  readonly tenant: Tenant;
}

/** The caller in the audit log: the user that the API key was issued to, else the name of the key. */
export const actorOf = ({ id, userId, userEmail, name }: ApiKey, { ipAddress }: PortalRequest): Actor => ({
  userId,
  userEmail: userEmail ?? `API key "${name}"`,
  ipAddress,
  apiKeyId: id,
});

/**
 * The caller with this API key; `undefined` if it is unknown or revoked. It is looked up by its digest, so that the
 * response time reveals nothing about it.
 */
export const findCaller = async (db: Kysely<Tables>, sent: string): Promise<Caller | undefined> => {
  const row = await db
    .selectFrom('api_keys')
    .innerJoin('tenants', 'tenants.id', 'api_keys.tenantId')
    .leftJoin('users', 'users.id', 'api_keys.userId')
    .selectAll('tenants')
    .select([
      'api_keys.id as keyId',
      'api_keys.name as keyName',
      'api_keys.permissions',
      // Null once the user is removed.
      'users.id as userId',
      'users.email',
    ])
    .where('api_keys.digest', '=', secretDigest(sent))
    .where('api_keys.revokedAt', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { keyId, keyName, permissions, userId, email, ...tenant } = row;
  return { tenant, apiKey: { id: keyId, name: keyName, permissions, userId, userEmail: email } };
};

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

/**
 * Whether a key with these permissions has one. A key that may embed is "the Tenant API Key" and also has all
 * permissions of the administration API, unless it lists finer ones: then it only has those.
 */
const holdsPermission = (held: readonly string[], needed: string): boolean =>
  held.includes(needed) ||
  (administrationPermissions.includes(needed) &&
    !held.some((permission) => administrationPermissions.includes(permission)) &&
    mintPermissions.every((permission) => held.includes(permission)));
