import { type Kysely, sql } from 'kysely';
import type { AuditActionType } from './auditTypes.ts';
import type { PortalClock } from './clock/portalClock.ts';
import type { Tables } from './database/schema.ts';
import { readRow } from './database/tenantRows.ts';
import { apiKeyIsRevoked, tenantIsGone } from './http/portalFailure.ts';

/** The actor of a change, and the source address. */
export interface Actor {
  /** Internal number of the user, if a user acts. */
  readonly userId: number | null;
  /** Email or other identity; for programs, the name of their API key or interface. */
  readonly userEmail: string | null;
  readonly ipAddress: string | null;
  /** The API key of the request, if it has one. */
  readonly apiKeyId?: number;
}

/** Where a change happens, and who makes it. */
interface ChangePlace {
  readonly services: { readonly db: Kysely<Tables>; readonly clock: Pick<PortalClock, 'now'> };
  readonly tenant: { readonly id: number };
  readonly actor: Actor;
}

/** What the audit log says about a change. */
export interface Recorded {
  /** Identifier of the changed resource. */
  readonly id: string | number;
  /** A sentence. */
  readonly description: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Default: the action type without its verb. */
  readonly resourceType?: string;
  /** Default `success`. */
  readonly outcome?: 'success' | 'failure';
  /** Everything is as it was, and there is no record. Default false. */
  readonly isUnchanged?: boolean;
}

/** A change to one tenant in progress. */
export interface Change {
  /** The transaction of the change. */
  readonly db: Kysely<Tables>;
  readonly tenantId: number;
  /** The portal's time of the change, the same in its rows and records, in milliseconds. */
  readonly atMs: number;
  /** Writes a further audit record, for what the change causes. */
  readonly record: (what: AuditActionType, recorded: Recorded) => Promise<void>;
}

/**
 * Makes a change to a tenant and its audit record in one transaction, or in that of the caller: neither exists without
 * the other. Resolves with the `result` of `work`.
 *
 * The first statement draws the number of the first record, which locks the tenant's row until the transaction ends. So
 * the changes of a tenant are serialized, and the time is read under the lock: numbers have no gaps, and unless the
 * clock is set back, times rise with the numbers. Read earlier, a change that waits for the lock would have an older
 * time than the number before it.
 */
export const change = <TResult = undefined>(
  { services, tenant, actor }: ChangePlace,
  what: AuditActionType,
  work: (change: Change) => Promise<Recorded & { readonly result?: TResult }>,
): Promise<TResult> => {
  const run = async (db: Kysely<Tables>): Promise<TResult> => {
    let drawn: number | undefined = await drawNumber(db, tenant.id);
    const key = actor.apiKeyId && (await readRow({ db, tenantId: tenant.id }, 'api_keys', actor.apiKeyId));
    // It was revoked while this change waited for its turn.
    if (key && key.revokedAt !== null) throw apiKeyIsRevoked();
    const atMs = services.clock.now();
    const record = async (actionType: AuditActionType, recorded: Recorded): Promise<void> => {
      const id = drawn ?? (await drawNumber(db, tenant.id));
      drawn = undefined;
      await db
        .insertInto('audit_logs')
        .values({
          tenantId: tenant.id,
          id,
          actionType: actionType,
          timestamp: atMs,
          userId: actor.userId,
          userEmail: actor.userEmail,
          resourceType: recorded.resourceType ?? actionType.replace(/[A-Z][a-z]+$/, ''),
          resourceId: String(recorded.id),
          description: recorded.description,
          result: recorded.outcome ?? 'success',
          ipAddress: actor.ipAddress,
          details: recorded.details ?? {},
        })
        .execute();
    };
    const { result, isUnchanged, ...recorded } = await work({ db, tenantId: tenant.id, atMs, record });
    if (isUnchanged !== true) await record(what, recorded);
    // The next record gets the number.
    else if (drawn !== undefined) await drawNumber(db, tenant.id, -1);
    // Without a result, TResult is undefined.
    return result as TResult;
  };
  const { db } = services;
  return db.isTransaction ? run(db) : db.transaction().execute(run);
};

const drawNumber = async (db: Kysely<Tables>, tenantId: number, step = 1): Promise<number> => {
  const tenant = await db
    .updateTable('tenants')
    .set({ auditSeq: sql<number>`${sql.ref('auditSeq')} + ${step}` })
    .where('id', '=', tenantId)
    .returning('auditSeq')
    .executeTakeFirstOrThrow(tenantIsGone);
  return tenant.auditSeq;
};
