import type { ClaimedDelivery, Outcome } from '../actionInbox.ts';
import type { BossQueue } from './bossQueue.ts';
import { inTransaction, type PostgresPool } from './postgresPool.ts';
import { toJsonb, toText } from './postgresRows.ts';

/** Everything one batch needs. */
export interface SettleBatch {
  readonly pool: PostgresPool;
  readonly queue: BossQueue;
  readonly schema: string;
  readonly channel: string;
  readonly nowMs: number;
  readonly settled: readonly { readonly claimed: ClaimedDelivery; readonly outcome: Outcome }[];
}

const isPublished = (outcome: Outcome): boolean =>
  outcome.kind === 'dead' || (outcome.kind === 'done' && outcome.isSilent !== true);

/** The fencing token of a delivery and the job that leased it. */
const partsOf = ({ lease }: ClaimedDelivery): { readonly token: string; readonly jobId: string } => {
  const colon = lease.indexOf(':');
  return { token: lease.slice(0, colon), jobId: lease.slice(colon + 1) };
};

/** Ends leases in one transaction. An attempt whose lease was lost changes nothing. */
export const settleDeliveries = ({
  pool,
  queue,
  schema,
  channel,
  nowMs,
  settled,
}: SettleBatch): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { rows } = await client.query(
      `update ${schema}.deliveries d
       set state = t.state, last_error = t.error, settled_at = case when t.state = 'pending' then null else $6::bigint end,
         due_at = coalesce(t.due_at, d.due_at), attempts = d.attempts - t.unused
       from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $7::int[]) as t (id, lease, state, error, due_at, unused)
       where d.id = t.id and d.lease = t.lease and d.state = 'pending' returning d.id::text`,
      [
        settled.map(({ claimed }) => claimed.id),
        settled.map(({ claimed }) => partsOf(claimed).token),
        settled.map(({ outcome }) => (outcome.kind === 'retry' ? 'pending' : outcome.kind)),
        settled.map(({ outcome }) => (outcome.kind === 'done' ? null : toText(outcome.error))),
        settled.map(({ outcome }) => (outcome.kind === 'retry' ? nowMs + outcome.delayMs : null)),
        nowMs,
        settled.map(({ outcome }) => (outcome.kind === 'retry' && outcome.isUnused ? 1 : 0)),
      ],
    );
    const changed = new Set(rows.map((row) => String(row['id'])));
    const valid = settled.filter(({ claimed }) => changed.has(claimed.id));
    await queue.complete(
      settled.map(({ claimed }) => partsOf(claimed).jobId),
      client,
    );
    const again = valid.flatMap(({ claimed, outcome }) =>
      outcome.kind === 'retry' ? [{ id: claimed.id, delayMs: outcome.delayMs }] : [],
    );
    if (again.length > 0) await queue.send(client, again);
    const published = valid.filter(({ outcome }) => isPublished(outcome));
    if (published.length === 0) return;
    // Cursors are taken under a lock that lasts to the commit: a reader who has seen one has seen all below it.
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [`${schema} publish`]);
    await client.query(
      `insert into ${schema}.publications (delivery_id, published_at, reply)
       select id, $3, reply from unnest($1::bigint[], $2::jsonb[]) with ordinality as t (id, reply, number) order by number`,
      [
        published.map(({ claimed }) => claimed.id),
        published.map(({ outcome }) =>
          outcome.kind === 'done' && outcome.reply !== undefined ? toJsonb(outcome.reply) : null,
        ),
        nowMs,
      ],
    );
    await client.query('select pg_notify($1, $2)', [channel, 'published']);
  });
