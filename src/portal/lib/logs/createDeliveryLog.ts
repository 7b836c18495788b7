import { type Kysely, sql } from 'kysely';
import type { Row, Tables } from '../database/schema.ts';
import { PortalFailure } from '../http/portalFailure.ts';
import { type PortalEvents, type WaitOptions, waitFor } from './waitFor.ts';

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

const toLogged = ({ tenantId: _, at, ...row }: DeliveryRow): LoggedDelivery => ({
  ...row,
  at: new Date(at).toISOString(),
});

const holds = (wanted: string) => (text: string | null) => text?.toLowerCase().includes(wanted) === true;

/** Creates the reader of the delivery log; the dispatcher writes it. */
export const createDeliveryLog = (
  db: Kysely<Tables>,
  events: PortalEvents,
  replay: (delivery: LoggedDelivery) => Promise<void>,
): PortalDeliveries => {
  const entries = () =>
    db
      .selectFrom('delivery_log')
      .innerJoin('tenants', 'tenants.id', 'delivery_log.tenantId')
      .selectAll('delivery_log')
      .select('tenants.tenancyName');
  const list = async (filter: DeliveryFilter = {}): Promise<LoggedDelivery[]> => {
    const { afterId = 0, text = '', limit = 100, ...exact } = filter;
    let query = entries().where('delivery_log.id', '>', afterId).orderBy('delivery_log.id', 'desc');
    for (const [name, value] of Object.entries(exact))
      if (value !== undefined) query = query.where(sql.ref(name), '=', value);
    const rows = await (text === '' ? query.limit(limit) : query).execute();
    const isWanted = holds(text.toLowerCase());
    return rows
      .map(toLogged)
      .filter((row) => text === '' || [row.url, row.visual, row.body, row.error].some(isWanted))
      .slice(0, limit)
      .reverse();
  };
  return {
    list,
    waitFor: (filter, options) => waitFor(events, list, filter, options),
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
