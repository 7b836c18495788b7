import type { Generated } from 'kysely';
import type { Fixed, Flag, Json, Milliseconds } from './columnTypes.ts';

export interface MetaTable {
  key: string;
  value: string;
}

export interface TenantsTable {
  id: Fixed<number>;
  tenancy_name: Fixed<string>;
  display_name: string;
  passphrase_digest: string;
  /** 32 random bytes, base64: seals and opens this tenant's encrypted keys. */
  seal_key: string;
  /** Sources allowed to frame the report pages, as in CSP `frame-ancestors`. */
  frame_ancestors: string;
  /** Number of the newest audit record: the records of a tenant are numbered without gaps. */
  audit_seq: number;
  /** 1 while the times of those records rise with their numbers; 0 after the clock was set back. */
  audit_in_order: Flag;
  /** Number of users, updated by each change that adds or removes one. */
  user_count: number;
  /** Dataset of imported items; a copied tenant shares that of its template. */
  dataset: string;
  is_template: Flag;
  created_at: Fixed<Milliseconds>;
}

export interface ApiKeysTable {
  id: Generated<number>;
  tenant_id: number;
  name: string;
  /** SHA-256 of the key, hex. The key itself is not stored. */
  digest: string;
  permissions: Json;
  /** User that the key was issued to: the actor in the audit log. */
  user_id: number | null;
  revoked_at: Milliseconds | null;
  created_at: Milliseconds;
}
