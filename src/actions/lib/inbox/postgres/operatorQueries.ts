import type { ActionInbox } from '../actionInbox.ts';
import type { PostgresConnection } from './postgresConnection.ts';
import { inTransaction } from './postgresPool.ts';
import { deliveryColumns, filterCondition, toDelivery } from './postgresRows.ts';

/** What a person asks of an inbox, rather than a dispatcher. */
export type OperatorQueries = Pick<ActionInbox, 'list' | 'replay' | 'prune'> & {
  readonly counts: () => Promise<Awaited<ReturnType<ActionInbox['health']>>['counts']>;
};

/** Options of {@link createOperatorQueries}. */
export interface OperatorQueriesOptions {
  readonly database: Pick<PostgresConnection, 'opened' | 'query'>;
  readonly schema: string;
  readonly channel: string;
}

/** Writes the questions of an operator in SQL. */
export const createOperatorQueries = (options: OperatorQueriesOptions): OperatorQueries => {
  const { database, schema, channel } = options;
  return {
    async list(filter) {
      const { sql, values } = filterCondition(filter);
      const order = filter.from === undefined ? 'desc' : 'asc';
      const { rows } = await database.query(
        `select ${deliveryColumns} from ${schema}.deliveries d ${sql} order by d.id ${order} limit ${Math.trunc(filter.limit)}`,
        values,
      );
      return rows.map(toDelivery);
    },
    async replay(filter) {
      const { pool, queue } = await database.opened();
      const { sql, values } = filterCondition(filter);
      return inTransaction(pool, async (client) => {
        const { rows } = await client.query(
          `update ${schema}.deliveries d set state = 'pending', attempts = 0, due_at = 0, settled_at = null
           ${sql === '' ? 'where' : `${sql} and`} d.state <> 'pending' returning d.id`,
          values,
        );
        if (rows.length > 0) {
          await queue.send(
            client,
            rows.map((row) => ({ id: String(row['id']), delayMs: 0 })),
          );
          await client.query('select pg_notify($1, $2)', [channel, 'appended']);
        }
        return rows.length;
      });
    },
    async prune(settledBeforeMs) {
      // The newest publication stays, because it says where the log ends.
      const { rowCount } = await database.query(
        `delete from ${schema}.deliveries where state = 'done' and settled_at < $1
         and id not in (select delivery_id from ${schema}.publications order by cursor desc limit 1)`,
        [settledBeforeMs],
      );
      return rowCount ?? 0;
    },
    async counts() {
      const counts = { pending: 0, done: 0, parked: 0, dead: 0 };
      const { rows } = await database.query(
        `select state, count(*)::int as count from ${schema}.deliveries group by state`,
      );
      for (const row of rows) Object.assign(counts, { [String(row['state'])]: row['count'] });
      return counts;
    },
  };
};
