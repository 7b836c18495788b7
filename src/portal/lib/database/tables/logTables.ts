import type { Generated } from 'kysely';
import type { Json, Milliseconds } from './columnTypes.ts';

export interface AuditLogsTable {
  id: Generated<number>;
  tenant_id: number;
  /** 1, 2, 3 … per tenant without gaps, so that page 1000 is as fast as page 1. */
  seq: number;
  action_type: string;
  at: Milliseconds;
  user_id: number | null;
  user_email: string | null;
  resource_type: string;
  resource_id: string;
  description: string;
  result: string;
  ip_address: string | null;
  details: Json;
}

export interface DeliveryLogTable {
  id: Generated<number>;
  tenant_id: number;
  task_id: number;
  /** Address without query and credentials. */
  url: string;
  at: Milliseconds;
  visual: string;
  body: string;
  /** HTTP status, or null without a response. */
  status: number | null;
  /** `delivered`, `failed` or `lost`. */
  outcome: string;
  error: string | null;
  duration_ms: number;
  replay_of: number | null;
}
