import type { PostgresClient, PostgresPool, PostgresResult } from './postgresPool.ts';

/** The part of pg-boss that the inbox uses: which delivery is due, who holds it, until when. */
export interface BossQueue {
  /** Makes deliveries due after so long, inside the caller's transaction. */
  send(
    client: PostgresClient,
    due: readonly { readonly id: string; readonly delayMs: number }[],
  ): Promise<void>;
  /** Leases jobs, one delivery each. */
  fetch(limit: number): Promise<readonly { readonly jobId: string; readonly deliveryId: string }[]>;
  /** Ends jobs, inside the caller's transaction where one is given. */
  complete(jobIds: readonly string[], client?: PostgresClient): Promise<void>;
  stop(): Promise<void>;
}

/** Options of {@link openBossQueue}. */
export interface BossQueueOptions {
  readonly pool: PostgresPool;
  /** Schema of pg-boss's own tables. */
  readonly schema: string;
  readonly leaseMs: number;
  readonly onError: (error: unknown) => void;
}

const queueName = 'vitrine-actions';
const yearSeconds = 366 * 24 * 60 * 60;
/** Attempts are counted and ended by the dispatcher; pg-boss only brings back what a crashed process held. */
const retryLimit = 1_000_000;

/**
 * Counted by the database's clock alone, for this machine's may show another time. What is due counts as due since long ago,
 * so that it is not put off when that clock is set back.
 */
const startAfter = (delayMs: number): string => `${delayMs > 0 ? delayMs / 1000 : -yearSeconds} seconds`;

/** Lets pg-boss speak through a pool, or through a client and so inside its transaction. */
const through = (runner: Pick<PostgresPool, 'query'>) => ({
  executeSql: async (sql: string, values?: unknown[]) => {
    // Several statements in one text answer with a list of results, which the type of a single one does not say.
    const answer: PostgresResult | readonly PostgresResult[] = await runner.query(sql, values);
    return { rows: Array.isArray(answer) ? answer.flatMap(({ rows }) => rows) : [...answer.rows] };
  },
});

/** Starts pg-boss on the inbox's own connections. */
export const openBossQueue = async ({
  pool,
  schema,
  leaseMs,
  onError,
}: BossQueueOptions): Promise<BossQueue> => {
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({
    db: through(pool),
    schema,
    schedule: false,
    // How soon the jobs of a crashed process are looked for.
    monitorIntervalSeconds: Math.max(1, Math.min(60, Math.round(leaseMs / 2000))),
    superviseIntervalSeconds: Math.max(1, Math.min(60, Math.round(leaseMs / 2000))),
  });
  boss.on('error', onError);
  await boss.start();
  await boss.createQueue(queueName, {
    expireInSeconds: Math.max(1, Math.ceil(leaseMs / 1000)),
    retryLimit,
    retryDelay: 0,
    retentionSeconds: 10 * yearSeconds,
    deleteAfterSeconds: 60 * 60,
  });
  return {
    async send(client, due) {
      await boss.insert(
        queueName,
        due.map(({ id, delayMs }) => ({ data: { id }, retryLimit, startAfter: startAfter(delayMs) })),
        { db: through(client) },
      );
    },
    async fetch(limit) {
      const jobs = await boss.fetch<{ id: string }>(queueName, { batchSize: limit });
      return jobs.map(({ id, data }) => ({ jobId: id, deliveryId: data.id }));
    },
    async complete(jobIds, client) {
      await boss.complete(queueName, [...jobIds], null, client ? { db: through(client) } : {});
    },
    stop: () => boss.stop({ graceful: false, close: false }),
  };
};
