/** One webhook delivery as received, before parsing. */
export interface NewDelivery {
  /** The body, byte for byte. */
  readonly raw: Uint8Array;
  /** When the body arrived, in milliseconds since 1970. */
  readonly receivedAtMs: number;
  /** Address of the sender, if the server knows it. */
  readonly source?: string | undefined;
  /** Value of `Content-Encoding`; the body is stored unchanged and decompressed when it is read. */
  readonly encoding?: string | undefined;
  /** True if a body parser consumed the bytes and the body was serialized again from its result. */
  readonly isReserialized?: boolean | undefined;
}

/** The receipt of a stored delivery. */
export interface AppendReceipt {
  /** ID in the inbox. */
  readonly id: string;
  /** ID of the first delivery with the same bytes within the duplicate window. It is a flag: both are delivered. */
  readonly duplicateOf?: string;
}

/** Every state of a delivery, in display order. */
export const deliveryStates = ['pending', 'done', 'unrouted', 'parked', 'dead'] as const;

/**
 * The state of a delivery: `pending` waits for its handler or its next attempt, `done` was handled, `unrouted` matched
 * no handler, `parked` waits for an operator because a retry would not help, `dead` failed in
 * every attempt.
 */
export type DeliveryState = (typeof deliveryStates)[number];

/** A delivery stored in the inbox. */
export interface StoredDelivery extends NewDelivery {
  readonly id: string;
  readonly state: DeliveryState;
  readonly duplicateOf?: string | undefined;
  /** Number of attempts since it arrived or was last replayed. */
  readonly attempts: number;
  /** Why the last attempt failed, why it is parked, or why it was not delivered. */
  readonly lastError?: string | undefined;
  /** False if the stored bytes no longer match their digest: no handler gets it. */
  readonly isIntact: boolean;
}

/** A delivery leased to one dispatcher until {@link ClaimRequest.leaseMs} has passed. */
export interface ClaimedDelivery extends StoredDelivery {
  /** Proves the lease: settling with an older one changes nothing. */
  readonly lease: string;
}

/** A dispatcher's request for deliveries. */
export interface ClaimRequest {
  readonly limit: number;
  /** Duration of the lease, in milliseconds. */
  readonly leaseMs: number;
  /**
   * Maximum retry delay in milliseconds: a later due time dates from before the clock was set back and counts as due.
   * Default: 1 hour.
   */
  readonly horizonMs?: number;
}

/** The part of an action that a handler adds for the viewers. */
export interface ActionReply {
  /** Plain JSON for the viewer's `onAction`, at most 256 KiB; a larger result is omitted. */
  readonly result?: unknown;
  /** Asks the component to reload the report, because its data has changed. */
  readonly refresh?: boolean;
  /** A sentence for the viewer. */
  readonly message?: string;
}

/** The part of an action for the streams: its audience, its report, and the handler's reply. */
export interface PublishedAction {
  /** User IDs as returned by the host's `viewer` callback. */
  readonly audience: readonly string[];
  /** The report's number, for `canView`. */
  readonly itemId: number;
  readonly reply?: ActionReply | undefined;
  /** Those of the audience for whom a newer delivery of this report was published earlier. The inbox sets it. */
  readonly supersededFor?: readonly string[] | undefined;
}

/** How an attempt ended. An outcome without `publish` is not streamed. */
export type Outcome =
  | {
      readonly kind: 'done';
      readonly error?: string | undefined;
      readonly publish?: PublishedAction | undefined;
    }
  | {
      readonly kind: 'unrouted' | 'dead';
      readonly error: string;
      readonly publish?: PublishedAction | undefined;
    }
  | { readonly kind: 'parked'; readonly error: string }
  | {
      readonly kind: 'retry';
      readonly delayMs: number;
      readonly error: string;
      /** True if no handler ran: it does not count as an attempt. */
      readonly isUnused?: boolean;
    };

/** A claimed delivery and the outcome of its attempt. */
export interface Settlement {
  readonly claimed: Pick<ClaimedDelivery, 'id' | 'lease'>;
  readonly outcome: Outcome;
}

/** One entry of the log that action streams read: a settled delivery, in the order of settling. */
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

/** A change: a delivery arrived, or one was settled and published. */
export type InboxChange = 'appended' | 'published';

/** Maximum count in {@link InboxHealth}: a health check must not read a whole table. */
export const maxCount = 10_000;

/** How many deliveries are in each state, up to {@link maxCount}. */
export type DeliveryCounts = Readonly<Record<DeliveryState, number>>;

/** Whether deliveries can be stored, and how many are waiting. */
export interface InboxHealth {
  /** False after a delivery could not be stored, until one is stored or a minute has passed. */
  readonly canPersist: boolean;
  /** Absent if the database does not answer. */
  readonly counts?: DeliveryCounts;
}

/** Diagnostics of the store itself, for operators. */
export type InboxDiagnostic =
  /**
   * Stored deliveries are gone: the file was removed, or the store was emptied or restored from a backup while it was
   * open.
   */
  | { readonly kind: 'lost'; readonly error: string }
  /** The store works again. */
  | { readonly kind: 'recovered' }
  | { readonly kind: 'low-disk'; readonly freeBytes: number };

/**
 * A durable store and queue of webhook deliveries. `sqliteInbox` and `postgresInbox` implement it, and you can write your
 * own. The main guarantee: when {@link ActionInbox.append} resolves, the delivery survives a power loss.
 */
export interface ActionInbox {
  /** Stores a delivery. Resolves when it is durable; rejects if it cannot be stored. */
  append(delivery: NewDelivery): Promise<AppendReceipt>;
  /** Leases deliveries that are due, oldest first, each to one caller. */
  claim(request: ClaimRequest): Promise<readonly ClaimedDelivery[]>;
  /** Ends a lease. No effect if another process has leased the delivery since. */
  settle(claimed: Settlement['claimed'], outcome: Outcome): Promise<void>;
  /** The stored result of an effect of this delivery, or `undefined` if it has not run. */
  effect(deliveryId: string, key: string): Promise<{ readonly value: unknown } | undefined>;
  /** Records that an effect of this delivery ran. The first record counts. */
  noteEffect(deliveryId: string, effect: { readonly key: string; readonly value: unknown }): Promise<void>;
  /** Published deliveries after a cursor, in order; fewer if their bodies are large, but at least one if any exist. */
  publications(after: number, limit: number): Promise<readonly Publication[]>;
  /** Cursor of the newest publication. */
  lastCursor(): Promise<number>;
  /**
   * Calls back after changes, including those of other processes if the store detects them. Returns an unsubscribe
   * function.
   */
  watch(listener: (change: InboxChange) => void): () => void;
  /** Calls back with diagnostics of the store itself. Returns an unsubscribe function. */
  onDiagnostic?(listener: (diagnostic: InboxDiagnostic) => void): () => void;
  /** Deliveries for an operator. */
  list(filter: DeliveryFilter): Promise<readonly StoredDelivery[]>;
  /**
   * Makes settled deliveries due again, whatever their outcome. Resolves to the count. Attempts restart at 1, the last
   * error stays until the next result, and recorded effects stay recorded. `pending` deliveries stay unchanged: a
   * handler may be running.
   */
  replay(filter: Omit<DeliveryFilter, 'limit'>): Promise<number>;
  /** Removes deliveries settled as `done` or `unrouted` before a time. Resolves to the count. */
  prune(settledBeforeMs: number): Promise<number>;
  health(): Promise<InboxHealth>;
  /** Waits for in-flight calls, then closes files and connections. */
  close(): Promise<void>;
}
