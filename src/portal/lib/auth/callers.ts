import type { Kysely } from 'kysely';
import type { Actor } from '../change.ts';
import type { Tables } from '../database/schema.ts';
import type { PortalRequest } from '../http/portalRequest.ts';
import { secretDigest } from '../secretDigest.ts';
import type { Tenant } from '../tenant.ts';

/** A known API key. */
export interface ApiKey {
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
export const actorOf = ({ userId, userEmail, name }: ApiKey, { ipAddress }: PortalRequest): Actor => ({
  userId,
  userEmail: userEmail ?? `API key "${name}"`,
  ipAddress,
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
    .select(['api_keys.name as keyName', 'api_keys.permissions', 'api_keys.userId', 'users.email'])
    .where('api_keys.digest', '=', secretDigest(sent))
    .where('api_keys.revokedAt', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { keyName, permissions, userId, email, ...tenant } = row;
  return { tenant, apiKey: { name: keyName, permissions, userId, userEmail: email } };
};
