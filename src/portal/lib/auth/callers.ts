import type { PortalDatabase } from '../database/openDatabase.ts';
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

/** Maximum number of cached callers; a portal has fewer keys in use. */
const maxKept = 1000;

/**
 * Creates the lookup of callers. Keys are looked up by digest, so that the response time reveals nothing about them.
 * Results are cached until the database reports a change of a caller; if it cannot, nothing is cached.
 */
export const createCallers = ({ db, callersVersion }: PortalDatabase): Callers => {
  let version: string | undefined;
  const kept = new Map<string, Caller>();

  const read = async (digest: string): Promise<Caller | undefined> => {
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
      .where('api_keys.digest', '=', digest)
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
  };

  return {
    find: async (sent) => {
      const digest = secretDigest(sent);
      const present = callersVersion();
      if (present === undefined) return read(digest);
      if (present !== version) {
        kept.clear();
        version = present;
      }
      const known = kept.get(digest);
      if (known !== undefined) return known;
      const caller = await read(digest);
      if (caller !== undefined && kept.size < maxKept && callersVersion() === present && version === present)
        kept.set(digest, caller);
      return caller;
    },
  };
};
