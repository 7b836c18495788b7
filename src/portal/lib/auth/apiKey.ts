import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables/tables.ts';
import { PortalFailure } from '../http/portalFailure.ts';
import { holdsPermission } from './permissions.ts';
import { secretDigest } from './secretDigest.ts';

/** An API key that was recognised. */
export interface ApiKey {
  readonly id: number;
  readonly tenantId: number;
  readonly name: string;
  readonly permissions: readonly string[];
  /** User the key was issued to, if any. */
  readonly userId: number | null;
  readonly userEmail: string | null;
}

/** Reads `Authorization: <scheme> <key>`; the scheme in any case, exactly one space or more between. */
export const credentialOf = (authorization: string | undefined, scheme: string): string | undefined => {
  const match = /^(\S+) +(\S+)$/.exec(authorization ?? '');
  return match?.[1]?.toLowerCase() === scheme.toLowerCase() ? match[2] : undefined;
};

/** Finds the key a caller sent. Looked up by digest, so that the time of the answer tells nothing about keys. */
export const findApiKey = async (db: Kysely<Tables>, sent: string): Promise<ApiKey | undefined> => {
  const row = await db
    .selectFrom('api_keys')
    .leftJoin('users', 'users.id', 'api_keys.user_id')
    .select([
      'api_keys.id',
      'api_keys.tenant_id',
      'api_keys.name',
      'api_keys.permissions',
      'api_keys.user_id',
      'users.email',
    ])
    .where('api_keys.digest', '=', secretDigest(sent))
    .where('api_keys.revoked_at', 'is', null)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      tenantId: row.tenant_id,
      name: row.name,
      // Written by the seed and the control interface as a JSON array of texts.
      permissions: JSON.parse(row.permissions) as string[],
      userId: row.user_id,
      userEmail: row.email,
    }
  );
};

/** 401 with the challenge of the scheme (RFC 9110, 11.6.1). */
export const unauthorized = (scheme: 'Bearer' | 'ApiKey', message: string): PortalFailure =>
  new PortalFailure(message, {
    status: 401,
    code: 'unauthorized',
    headers: { 'www-authenticate': `${scheme} realm="vitrine portal"` },
    fields: [{ field: 'Authorization', message }],
  });

/** Throws 403 naming what the key lacks. */
export const requirePermissions = (apiKey: ApiKey, needed: readonly string[]): void => {
  const missing = needed.filter((permission) => !holdsPermission(apiKey.permissions, permission));
  if (missing.length > 0)
    throw new PortalFailure(`The API key "${apiKey.name}" lacks the permission ${missing.join(' and ')}.`, {
      status: 403,
      code: 'forbidden',
      fields: [{ field: 'Authorization', message: `lacks the permission ${missing.join(' and ')}` }],
    });
};
