import { type Insertable, type Kysely, sql } from 'kysely';
import type { PortalClock } from '../clock/portalClock.ts';
import { type Param, preparedQuery } from '../database/preparedQuery.ts';
import type { AuditLogsTable } from '../database/tables/logs.ts';
import type { Tables } from '../database/tables/tables.ts';
import { tenantIsGone } from '../http/portalFailure.ts';
import type { AuditEvent } from './auditEvent.ts';

/** A change to one tenant in progress. */
export interface Change {
  /** The transaction of the change. */
  readonly db: Kysely<Tables>;
  readonly tenantId: number;
  /** The portal's time of the change, the same in its rows and records, in milliseconds. */
  readonly atMs: number;
  /** Writes an audit record of the change; at least one is required. */
  readonly record: (event: AuditEvent) => Promise<void>;
}

/** Dependencies of a change. */
export interface ChangePlace {
  readonly db: Kysely<Tables>;
  readonly clock: Pick<PortalClock, 'now'>;
}

/**
 * Makes a change to a tenant and its audit records in one transaction: neither exists without the other.
 *
 * The first statement draws the number of the first record, which locks the tenant's row until the transaction ends. So
 * the changes of a tenant are serialized, and the time is read under the lock: numbers have no gaps, and unless the
 * clock is set back, times rise with the numbers. Read earlier, a change that waits for the lock would have an older
 * time than the number before it.
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

const drawNext = preparedQuery((db, param: Param<{ tenantId: number }>) =>
  db
    .updateTable('tenants')
    .set({ audit_seq: sql<number>`audit_seq + 1` })
    .where('id', '=', param('tenantId'))
    .returning('audit_seq'),
);

const drawNumber = async (db: Kysely<Tables>, tenantId: number): Promise<number> => {
  const [tenant] = await drawNext(db, { tenantId });
  if (tenant === undefined) throw tenantIsGone();
  return tenant.audit_seq;
};

/** Inserts a record and returns the time of the previous one. */
const insertRecord = preparedQuery((db, param: Param<Insertable<AuditLogsTable>>) =>
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

const writeRecord = async (
  { db, tenantId, atMs }: Pick<Change, 'db' | 'tenantId' | 'atMs'>,
  seq: number,
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
