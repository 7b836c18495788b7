import { sha256 } from '../../sha256.ts';
import type { AppendReceipt, NewDelivery } from '../actionInbox.ts';
import type { BossQueue } from './bossQueue.ts';
import { inTransaction, type PostgresPool } from './postgresPool.ts';

/** Everything one batch needs. */
export interface AppendBatch {
  readonly pool: PostgresPool;
  readonly queue: BossQueue;
  readonly schema: string;
  readonly channel: string;
  readonly duplicateWindowMs: number;
  readonly deliveries: readonly NewDelivery[];
  /** Keys of spilled deliveries: one whose key is stored already is passed over. */
  readonly spillKeys?: readonly string[];
}

/**
 * Stores a batch and makes it due in one transaction. Batches of all processes go one after another, so that each sees
 * the digests of those before it and a duplicate is always flagged.
 */
export const appendDeliveries = ({
  pool,
  queue,
  schema,
  channel,
  duplicateWindowMs,
  deliveries,
  spillKeys,
}: AppendBatch): Promise<AppendReceipt[]> =>
  inTransaction(pool, async (client) => {
    const digests = deliveries.map(({ raw }) => sha256(raw));
    const firstOf = new Map<string, number>();
    const firsts = digests.map((digest, index) => {
      const key = digest.toString('hex');
      const first = firstOf.get(key) ?? index;
      firstOf.set(key, first);
      return first;
    });
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [`${schema} append`]);
    const { rows } = await client.query(
      `with came as (
         select nextval(pg_get_serial_sequence('${schema}.deliveries', 'id')) as id, raw, digest, received_at, source, encoding, is_rebuilt, first, spill_key, number
         from unnest($1::bytea[], $2::bytea[], $3::bigint[], $4::text[], $5::text[], $6::boolean[], $7::int[], $9::uuid[])
           with ordinality as t (raw, digest, received_at, source, encoding, is_rebuilt, first, spill_key, number)
         order by number
       ), known as (
         select came.*, (
           select d.id from ${schema}.deliveries d
           where d.digest = came.digest and d.received_at >= came.received_at - $8::bigint
           order by d.received_at, d.id limit 1
         ) as earlier
         from came
       ), stored as (
         insert into ${schema}.deliveries (id, received_at, due_at, raw, digest, duplicate_of, source, encoding, is_rebuilt, spill_key)
         select known.id, received_at, 0, raw, digest,
           coalesce(earlier, case when first < number - 1 then (select came.id from came where came.number = known.first + 1) end),
           source, encoding, is_rebuilt, spill_key
         from known
         on conflict (spill_key) do nothing
         returning id, duplicate_of
       )
       select id::text, duplicate_of::text from stored order by stored.id`,
      [
        deliveries.map(({ raw }) => Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)),
        digests,
        deliveries.map(({ receivedAtMs }) => receivedAtMs),
        deliveries.map(({ source }) => source ?? null),
        deliveries.map(({ encoding }) => encoding ?? null),
        deliveries.map(({ isRebuilt }) => isRebuilt ?? false),
        firsts,
        duplicateWindowMs,
        deliveries.map((_, index) => spillKeys?.[index] ?? null),
      ],
    );
    await queue.send(
      client,
      rows.map((row) => ({ id: String(row['id']), delayMs: 0 })),
    );
    await client.query('select pg_notify($1, $2)', [channel, 'appended']);
    return rows.map((row) => ({
      id: String(row['id']),
      ...(typeof row['duplicate_of'] === 'string' && { duplicateOf: row['duplicate_of'] }),
      isSpilled: false,
    }));
  });
