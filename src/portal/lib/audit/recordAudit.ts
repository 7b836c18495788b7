import type { AuditActionType } from '@vitrine/contract';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';

/** Who does something, and from where. */
export interface Actor {
  /** Internal number of the user, when a user acts. */
  readonly userId: number | null;
  /** E-mail or other identity; for programs the name of their API key. */
  readonly userEmail: string | null;
  readonly ipAddress: string | null;
}

/** One administrative event, as the operation that causes it says it. */
export interface AuditEvent {
  readonly tenantId: number;
  readonly actionType: AuditActionType;
  readonly atMs: number;
  readonly actor: Actor;
  readonly resourceType: string;
  readonly resourceId: string | number;
  readonly description: string;
  /** `success` unless said otherwise. */
  readonly result?: 'success' | 'failure';
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Writes one audit record. Called with the transaction of the change itself, so that neither exists without the other.
 * The tenant's counter is raised in the same statement order everywhere: numbers have no holes.
 */
export const recordAudit = async (db: Kysely<Tables>, event: AuditEvent): Promise<void> => {
  const { audit_seq } = await db
    .updateTable('tenants')
    .set({ audit_seq: sql<number>`audit_seq + 1` })
    .where('id', '=', event.tenantId)
    .returning('audit_seq')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('audit_logs')
    .values({
      tenant_id: event.tenantId,
      seq: audit_seq,
      action_type: event.actionType,
      at: event.atMs,
      user_id: event.actor.userId,
      user_email: event.actor.userEmail,
      resource_type: event.resourceType,
      resource_id: String(event.resourceId),
      description: event.description,
      result: event.result ?? 'success',
      ip_address: event.actor.ipAddress,
      details: JSON.stringify(event.details ?? {}),
    })
    .execute();
};
