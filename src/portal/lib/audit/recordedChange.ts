import { type Kysely, sql } from 'kysely';
import type { PortalClock } from '../clock/portalClock.ts';
import type { Tables } from '../database/tables/tables.ts';
import { tenantIsGone } from '../http/portalFailure.ts';
import type { AuditEvent } from './auditEvent.ts';

/** A change of one tenant while it is made. */
export interface Change {
  /** The transaction of the change. */
  readonly db: Kysely<Tables>;
  readonly tenantId: number;
  /** The portal's time of the change, the same in its rows and in its records. In milliseconds. */
  readonly atMs: number;
  /** Writes an audit record of the change; at least one is owed. */
  readonly record: (event: AuditEvent) => Promise<void>;
}

/** What a change is made with. */
export interface ChangePlace {
  readonly db: Kysely<Tables>;
  readonly clock: Pick<PortalClock, 'now'>;
}

/**
 * Makes a change of a tenant and its audit records in one transaction: neither exists without the other.
 *
 * The first statement draws the number of the first record, which holds the tenant's row until the transaction ends. So
 * the changes of a tenant happen one after the other, and the time is taken inside that turn: numbers have no holes,
 * and unless somebody sets the clock back, times rise with the numbers. Taken before, a change that waits for a row
 * would write an older time under a newer number.
 */
export const recordedChange = <TResult>(
  { db, clock }: ChangePlace,
  tenantId: number,
  work: (change: Change) => Promise<TResult>,
): Promise<TResult> =>
  db.transaction().execute(async (trx) => {
    let drawn: number | undefined = await drawNumber(trx, tenantId);
    const atMs = clock.now();
    const result = await work({
      db: trx,
      tenantId,
      atMs,
      record: async (event) => {
        const seq = drawn ?? (await drawNumber(trx, tenantId));
        drawn = undefined;
        await writeRecord({ db: trx, tenantId, atMs }, seq, event);
      },
    });
    if (drawn !== undefined) throw new Error('A change of a tenant ended without an audit record.');
    return result;
  });

const drawNumber = async (db: Kysely<Tables>, tenantId: number): Promise<number> => {
  const tenant = await db
    .updateTable('tenants')
    .set({ audit_seq: sql<number>`audit_seq + 1` })
    .where('id', '=', tenantId)
    .returning('audit_seq')
    .executeTakeFirst();
  if (tenant === undefined) throw tenantIsGone();
  return tenant.audit_seq;
};

const writeRecord = async (
  { db, tenantId, atMs }: Pick<Change, 'db' | 'tenantId' | 'atMs'>,
  seq: number,
  event: AuditEvent,
): Promise<void> => {
  const { previousAt } = await db
    .insertInto('audit_logs')
    .values({
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
    })
    .returning((inserted) =>
      inserted
        .selectFrom('audit_logs as previous')
        .select('previous.at')
        .where('previous.tenant_id', '=', tenantId)
        .where('previous.seq', '=', seq - 1)
        .as('previousAt'),
    )
    .executeTakeFirstOrThrow();
  if (previousAt !== null && previousAt > atMs)
    await db.updateTable('tenants').set({ audit_in_order: 0 }).where('id', '=', tenantId).execute();
};
