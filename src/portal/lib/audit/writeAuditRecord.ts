import type { AuditActionType } from '@vitrine/contract/service';
import { type Insertable, type Kysely, sql } from 'kysely';
import { type Param, preparedQuery } from '../database/preparedQuery.ts';
import type { Tables } from '../database/schema.ts';

/** The actor of a change, and the source address. */
export interface Actor {
  /** Internal number of the user, if a user acts. */
  readonly userId: number | null;
  /** Email or other identity; for programs, the name of their API key. */
  readonly userEmail: string | null;
  readonly ipAddress: string | null;
}

/** One administrative event, from the operation that causes it. */
export interface AuditEvent {
  readonly actionType: AuditActionType;
  readonly actor: Actor;
  readonly resourceType: string;
  readonly resourceId: string | number;
  readonly description: string;
  /** Default `success`. */
  readonly result?: 'success' | 'failure';
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Inserts a record and returns the time of the previous one. */
const insertRecord = preparedQuery((db, param: Param<Insertable<Tables['audit_logs']>>) =>
  db
    .insertInto('audit_logs')
    .values({
      tenant_id: param('tenant_id'),
      seq: param('seq'),
      action_type: param('action_type'),
      at: param('at'),
      user_id: param('user_id'),
      user_email: param('user_email'),
      resource_type: param('resource_type'),
      resource_id: param('resource_id'),
      description: param('description'),
      result: param('result'),
      ip_address: param('ip_address'),
      details: param('details'),
    })
    .returning((inserted) =>
      inserted
        .selectFrom('audit_logs as previous')
        .select('previous.at')
        .whereRef('previous.tenant_id', '=', 'audit_logs.tenant_id')
        .where('previous.seq', '=', sql<number>`audit_logs.seq - 1`)
        .as('previousAt'),
    ),
);

/** Where an audit record belongs. */
interface RecordPlace {
  readonly db: Kysely<Tables>;
  readonly tenantId: number;
  readonly atMs: number;
  readonly seq: number;
}

/** Writes an audit record, and notes for the tenant if its time is before that of the previous record. */
export const writeAuditRecord = async (
  { db, tenantId, atMs, seq }: RecordPlace,
  event: AuditEvent,
): Promise<void> => {
  const [inserted] = await insertRecord(db, {
    tenant_id: tenantId,
    seq,
    action_type: event.actionType,
    at: atMs,
    user_id: event.actor.userId,
    user_email: event.actor.userEmail,
    resource_type: event.resourceType,
    resource_id: String(event.resourceId),
    description: event.description,
    result: event.result ?? 'success',
    ip_address: event.actor.ipAddress,
    details: JSON.stringify(event.details ?? {}),
  });
  if ((inserted?.previousAt ?? 0) > atMs)
    await db.updateTable('tenants').set({ audit_in_order: 0 }).where('id', '=', tenantId).execute();
};
