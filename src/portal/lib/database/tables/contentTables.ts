import type { Generated } from 'kysely';
import type { Flag, Json, Milliseconds } from './columnTypes.ts';

export interface ItemsTable {
  tenant_id: number;
  /** The Item ID as a number, unique in its tenant. */
  id: number;
  /** The Item ID as a GUID. */
  guid: string;
  type: string;
  workspace_id: string;
  report_id: string;
  display_name: string;
  roles: Json;
  additional_data: Json;
  has_rls: Flag;
  /** Which report page draws the item. */
  report: string;
  /** Which rows it draws. */
  dataset: string;
  created_at: Milliseconds;
}

export interface TasksTable {
  id: Generated<number>;
  tenant_id: number;
  name: string;
  description: string;
  kind: string;
  item_id: number | null;
  visual_names: Json;
  webhook_url: string | null;
  secret: string | null;
  query: string | null;
  is_enabled: Flag;
  created_at: Milliseconds;
}

export interface LinksTable {
  id: Generated<number>;
  tenant_id: number;
  kind: string;
  name: string;
  item_id: number;
  user_id: string | null;
  expires_at: Milliseconds | null;
  /** The requested expiry, if it was shortened; else null. */
  requested_expires_at: Milliseconds | null;
  revoked_at: Milliseconds | null;
  created_at: Milliseconds;
}

export interface ViewersTable {
  id: Generated<number>;
  tenant_id: number;
  user_id: string;
}
