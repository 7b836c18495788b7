/** One webhook delivery as received, before parsing. */
export interface NewDelivery {
  /** The body, byte for byte. */
  readonly raw: Uint8Array;
  /** When the body arrived, in milliseconds since 1970. */
  readonly receivedAtMs: number;
  /** Address of the sender, if the server knows it. */
  readonly source?: string | undefined;
  /** Value of `Content-Type`; its `charset` decodes the body. */
  readonly contentType?: string | undefined;
}

/** Every state of a delivery, in display order. */
export const deliveryStates = ['pending', 'done', 'unrouted', 'parked', 'dead'] as const;

/**
 * The state of a delivery: `pending` waits for its handler or its next attempt, `done` was handled or discarded,
 * `unrouted` matched no handler, `parked` waits for an operator because a retry would not help, `dead` failed in
 * every attempt.
 */
export type DeliveryState = (typeof deliveryStates)[number];

/** A delivery stored in the inbox. */
export interface StoredDelivery extends NewDelivery {
  readonly id: string;
  readonly state: DeliveryState;
  /** ID of the first delivery with the same bytes within 24 hours. It is a flag: both are delivered. */
  readonly duplicateOf?: string | undefined;
  /** Number of attempts since it arrived or was last replayed. */
  readonly attempts: number;
  /** Why the last attempt failed, why it is parked, or why it was not delivered. */
  readonly lastError?: string | undefined;
}

/** A delivery leased to one dispatcher, until its lease ends. */
export type ClaimedDelivery = StoredDelivery & {
  /** Proves the lease: settling with an older one changes nothing. */
  readonly lease: string;
  /** The result of its handler, which has run although the delivery is still pending. */
  readonly handled?: HandledReply | undefined;
  /** Whether viewers have already received the action, without a reply. */
  readonly isShown: boolean;
};

/** The part of an action that a handler adds for the viewers. */
export interface ActionReply {
  /** Plain JSON for the viewer's `onAction`, at most 256 KiB; a larger result is omitted. */
  readonly result?: unknown;
  /** Asks the component to reload the report, because its data has changed. */
  readonly refresh?: boolean;
  /** A sentence for the viewer. */
  readonly message?: string;
}

/** The result of a handler that has run. */
export interface HandledReply {
  readonly reply?: ActionReply | undefined;
}

/** The part of an action for the streams: its audience, its report, and the handler's reply. */
export interface PublishedAction extends HandledReply {
  /** User IDs as returned by the host's `viewer` callback. */
  readonly audience: readonly string[];
  /** True if the audience are email addresses of the portal, which are compared without case. */
  readonly isAnyCase?: boolean | undefined;
  /** The report's number, for `canView`. */
  readonly itemId: number;
  /** Those of the audience for whom a newer delivery of this report was published earlier. The inbox sets it. */
  readonly supersededFor?: readonly string[] | undefined;
}

/** How an attempt ended. */
export interface Outcome {
  /** With `retry`, the delivery stays pending. */
  readonly kind: Exclude<DeliveryState, 'pending'> | 'retry';
  /** Why it was not handled or not delivered. */
  readonly error?: string | undefined;
  /** Without it, nothing is streamed. */
  readonly publish?: PublishedAction | undefined;
  /** Pause before a retry, at most 45 minutes. Default: none. */
  readonly delayMs?: number;
  /** True if no handler ran: the retry does not count as an attempt. */
  readonly isUnused?: boolean;
  /** Set if the handler ran, and the retry only looks for its viewers. */
  readonly handled?: HandledReply | undefined;
}

/** One entry of the log that action streams read: a delivery for viewers, in the order of settling. */
export interface Publication extends PublishedAction {
  /** Position in the log; grows by commit order. */
  readonly cursor: number;
  readonly delivery: StoredDelivery;
}

/** An operator's filter for deliveries. */
export interface DeliveryFilter {
  readonly states?: readonly DeliveryState[] | undefined;
  /** First ID, inclusive. */
  readonly from?: string | undefined;
  /** Last ID, inclusive. */
  readonly to?: string | undefined;
  /** At most this many, newest first unless `from` is given. */
  readonly limit: number;
}

/** A delivery arrived, one was settled, or something happened to the store that an operator has to know. */
export type InboxChange = 'appended' | 'published' | { readonly problem: string };

/** How many deliveries are in each state, up to 10,000: a health check must not read a whole table. */
export type DeliveryCounts = Readonly<Record<DeliveryState, number>>;

/**
 * A durable store and queue of webhook deliveries. `sqliteInbox` and `postgresInbox` implement it, and you can write your
 * own. The main guarantee: when {@link ActionInbox.append} resolves, the delivery survives a power loss.
 */
export interface ActionInbox {
  /** Stores a delivery. Resolves when it is durable; rejects if it cannot be stored. */
  append(delivery: NewDelivery): Promise<Pick<StoredDelivery, 'id' | 'duplicateOf'>>;
  /** Leases deliveries that are due, oldest first, each to one caller. A lease lasts at most 45 minutes. */
  claim(request: { readonly limit: number; readonly leaseMs: number }): Promise<readonly ClaimedDelivery[]>;
  /**
   * Ends a lease. No effect if another process has leased the delivery since. Without a lease, changes a delivery that is
   * not pending. Resolves to whether it was changed.
   */
  settle(claimed: { readonly id: string; readonly lease?: string }, outcome: Outcome): Promise<boolean>;
  /** The newest cursor, and at most `limit` publications after one, in order. Without `after`, none. */
  since(
    after?: number,
    limit?: number,
  ): Promise<{ readonly cursor: number; readonly publications: readonly Publication[] }>;
  /** Deliveries for an operator. */
  list(filter: DeliveryFilter): Promise<readonly StoredDelivery[]>;
  /**
   * Makes settled deliveries due again, whatever their outcome. Resolves to the count. Attempts restart at 1, and the last
   * error stays until the next result. `pending` deliveries stay unchanged: a handler may be running.
   */
  replay(filter: Omit<DeliveryFilter, 'limit'>): Promise<number>;
  /** Removes deliveries settled as `done` or `unrouted` before a time. Resolves to the count. */
  prune(settledBeforeMs: number): Promise<number>;
  counts(): Promise<DeliveryCounts>;
  /**
   * Calls back after changes, including those of other processes if the store detects them. Returns an unsubscribe
   * function.
   */
  watch(listener: (change: InboxChange) => void): () => void;
  /** Waits for in-flight calls, then closes files and connections. */
  close(): Promise<void>;
}
