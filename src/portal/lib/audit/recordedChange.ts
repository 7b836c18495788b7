import { type Kysely, sql } from 'kysely';
import type { PortalClock } from '../clock/portalClock.ts';
import { type Param, preparedQuery } from '../database/preparedQuery.ts';
import type { Tables } from '../database/schema.ts';
import { tenantIsGone } from '../http/portalFailure.ts';
import { type AuditEvent, writeAuditRecord } from './writeAuditRecord.ts';

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
        await writeAuditRecord({ db: trx, tenantId, atMs, seq }, event);
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
