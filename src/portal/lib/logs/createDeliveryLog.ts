import type { Kysely } from 'kysely';
import type { Row, Tables } from '../database/schema.ts';
import { PortalFailure } from '../http/portalFailure.ts';
import { enough, type Notifier, type WaitOptions, waitFor } from './waitFor.ts';

/** A filter of deliveries; omitted fields match everything. */
export interface DeliveryFilter {
  readonly tenancyName?: string;
  readonly taskId?: number;
  readonly visual?: string;
  readonly outcome?: 'delivered' | 'failed' | 'lost';
  /** Only deliveries with a higher number. */
  readonly afterId?: number;
  /** A text in the address, the visual, the body or the error, ignoring case. */
  readonly text?: string;
  /** Maximum number of newest deliveries. Default 100. */
  readonly limit?: number;
}

/** A webhook that was sent, or lost because of a fault. */
export interface LoggedDelivery {
  readonly id: number;
  readonly taskId: number;
  readonly tenancyName: string;
  /** Address without query and credentials. */
  readonly url: string;
  /** When it was sent, portal time, ISO 8601 UTC. */
  readonly at: string;
  readonly visual: string;
  /** The sent body. */
  readonly body: string;
  /** HTTP status of the receiver, or null without a response. */
  readonly status: number | null;
  readonly outcome: string;
  readonly error: string | null;
  readonly durationMs: number;
  /** Number of the delivery this one repeats, or null. */
  readonly replayOf: number | null;
}

/** The log of webhook deliveries: the newest 10,000 of all tenants. */
export interface PortalDeliveries {
  /** Deliveries that match, oldest first. */
  list(filter?: DeliveryFilter): Promise<readonly LoggedDelivery[]>;
  /** Resolves when enough deliveries match, including earlier ones; rejects after the time limit. */
  waitFor(filter: DeliveryFilter, options?: WaitOptions): Promise<readonly LoggedDelivery[]>;
  /** Resends the body of a delivery to the current address of its task. */
  replay(id: number): Promise<void>;
  /** Empties the log. */
  clear(): Promise<void>;
}

type DeliveryRow = Row<'delivery_log'> & { readonly tenancyName: string };

const toLogged = (row: DeliveryRow): LoggedDelivery => ({
  id: row.id,
  taskId: row.taskId,
  tenancyName: row.tenancyName,
  url: row.url,
  at: new Date(row.at).toISOString(),
  visual: row.visual,
  body: row.body,
  status: row.status,
  outcome: row.outcome,
  error: row.error,
  durationMs: row.durationMs,
  replayOf: row.replayOf,
});

const holds = (wanted: string) => (text: string | null) => text?.toLowerCase().includes(wanted) === true;

/** Creates the reader of the delivery log; the dispatcher writes it. */
export const createDeliveryLog = (
  db: Kysely<Tables>,
  notifier: Notifier,
  replay: (delivery: LoggedDelivery) => Promise<void>,
): PortalDeliveries => {
  const entries = () =>
    db
      .selectFrom('delivery_log')
      .innerJoin('tenants', 'tenants.id', 'delivery_log.tenantId')
      .selectAll('delivery_log')
      .select('tenants.tenancyName');
  const list = async (filter: DeliveryFilter = {}): Promise<LoggedDelivery[]> => {
    const { tenancyName, taskId, visual, outcome, afterId, text } = filter;
    let query = entries();
    if (tenancyName !== undefined) query = query.where('tenants.tenancyName', '=', tenancyName);
    if (taskId !== undefined) query = query.where('delivery_log.taskId', '=', taskId);
    if (visual !== undefined) query = query.where('delivery_log.visual', '=', visual);
    if (outcome !== undefined) query = query.where('delivery_log.outcome', '=', outcome);
    if (afterId !== undefined) query = query.where('delivery_log.id', '>', afterId);
    const { limit = 100 } = filter;
    const ordered = query.orderBy('delivery_log.id', 'desc');
    const rows = (await (text === undefined ? ordered.limit(limit) : ordered).execute()).map(toLogged);
    const wanted = text?.toLowerCase() ?? '';
    return rows
      .filter((row) => wanted === '' || [row.url, row.visual, row.body, row.error].some(holds(wanted)))
      .slice(0, limit)
      .reverse();
  };
  return {
    list,
    waitFor: (filter, options = {}) => waitFor(notifier, () => list(enough(filter, options)), options),
    replay: async (id) => {
      const delivery = await entries()
        .where('delivery_log.id', '=', id)
        .executeTakeFirstOrThrow(
          () =>
            new PortalFailure(`There is no delivery ${id} in the log.`, { status: 404, code: 'not_found' }),
        );
      await replay(toLogged(delivery));
    },
    clear: async () => {
      await db.deleteFrom('delivery_log').execute();
    },
  };
};
