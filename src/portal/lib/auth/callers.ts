import type { Kysely } from 'kysely';
import type { Tables } from '../database/schema.ts';
import { secretDigest } from '../secretDigest.ts';
import { tenantOfRow } from '../tenants/findTenants.ts';
import type { Tenant } from '../tenants/tenant.ts';

/** A known API key. */
export interface ApiKey {
  readonly id: number;
  readonly tenantId: number;
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

/** Looks up API keys. */
export interface Callers {
  /** The caller with this key; `undefined` if it is unknown or revoked. */
  find(sent: string): Promise<Caller | undefined>;
}

/** Creates the lookup of callers. Keys are looked up by digest, so that the response time reveals nothing about them. */
export const createCallers = (db: Kysely<Tables>): Callers => ({
  find: async (sent) => {
    const row = await db
      .selectFrom('api_keys')
      .innerJoin('tenants', 'tenants.id', 'api_keys.tenant_id')
      .leftJoin('users', 'users.id', 'api_keys.user_id')
      .selectAll('tenants')
      .select([
        'api_keys.id as key_id',
        'api_keys.name as key_name',
        'api_keys.permissions',
        'api_keys.user_id',
        'users.email',
      ])
      .where('api_keys.digest', '=', secretDigest(sent))
      .where('api_keys.revoked_at', 'is', null)
      .executeTakeFirst();
    return (
      row && {
        tenant: tenantOfRow(row),
        apiKey: {
          id: row.key_id,
          tenantId: row.id,
          name: row.key_name,
          // The seed and the control interface write it as a JSON array of strings.
          permissions: JSON.parse(row.permissions) as string[],
          userId: row.user_id,
          userEmail: row.email,
        },
      }
    );
  },
});
