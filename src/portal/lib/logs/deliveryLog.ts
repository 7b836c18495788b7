import { createLog, type WaitOptions } from './createLog.ts';

/** A filter of deliveries; omitted fields match everything. */
export interface DeliveryFilter {
  readonly tenancyName?: string | undefined;
  readonly taskId?: number | undefined;
  readonly visual?: string | undefined;
  readonly outcome?: 'delivered' | 'failed' | 'lost' | undefined;
  /** Only deliveries with a higher number. */
  readonly afterId?: number | undefined;
  /** A text in the address, the visual, the body or the error, ignoring case. */
  readonly text?: string | undefined;
  /** Maximum number of newest deliveries. Default 100. */
  readonly limit?: number | undefined;
}

/** A webhook that was sent, or lost because of a fault. */
export interface LoggedDelivery {
  readonly id: number;
  readonly taskId: number;
  /** Name of the task when it was sent. */
  readonly taskName: string;
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

/** The log of webhook deliveries of this portal: the newest 10,000, or fewer if their bodies exceed 64 MiB. */
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

/** The portal's internal view of the log. */
export interface DeliveryLog extends Omit<PortalDeliveries, 'replay'> {
  add(delivery: Omit<LoggedDelivery, 'id'>): void;
}

/** Creates the log of webhook deliveries; the dispatcher writes it. */
export const createDeliveryLog = (): DeliveryLog => {
  const log = createLog<DeliveryFilter, LoggedDelivery>(({ url, visual, body, error }) => [
    url,
    visual,
    body,
    error,
  ]);
  return { ...log, add: (delivery) => log.add(delivery.body.length, (id) => ({ id, ...delivery })) };
};
