/** One webhook delivery as received, before it is read. */
export interface NewDelivery {
  /** The body, byte for byte. */
  readonly raw: Uint8Array;
  /** When the body had arrived, in milliseconds since 1970. */
  readonly receivedAtMs: number;
  /** Address of the sender, where the server knows it. */
  readonly source?: string | undefined;
  /** Value of `Content-Encoding`; the body is stored unchanged and decompressed when it is read. */
  readonly encoding?: string | undefined;
  /** True when a body parser had consumed the bytes and the body was written again from its result. */
  readonly isRebuilt?: boolean | undefined;
}

/** The receipt of a stored delivery. */
export interface AppendReceipt {
  /** ID in the inbox; absent while the delivery waits in the spill folder. */
  readonly id?: string;
  /** ID of the first delivery with the same bytes within the duplicate window. It is a flag: both are delivered. */
  readonly duplicateOf?: string;
  /** True when the inbox itself could not take it and the spill folder did. */
  readonly isSpilled: boolean;
}

/** Every state of a delivery, in the order in which operators read them. */
export const deliveryStates = ['pending', 'done', 'unrouted', 'parked', 'dead'] as const;

/**
 * The state of a delivery: `pending` waits for its handler or its next attempt, `done` was handled, `unrouted` matched no
 * handler, `parked` cannot be read and waits for a person, `dead` failed in every attempt.
 */
export type DeliveryState = (typeof deliveryStates)[number];

/** A delivery as the inbox keeps it. */
export interface StoredDelivery extends NewDelivery {
  readonly id: string;
  readonly state: DeliveryState;
  readonly duplicateOf?: string | undefined;
  /** Number of attempts since it arrived or was last replayed. */
  readonly attempts: number;
  /** Why the last attempt failed, why it is parked, or why it was not delivered. */
  readonly lastError?: string | undefined;
  /** False when the stored bytes no longer match their digest: never handed to a handler. */
  readonly isIntact: boolean;
}

/** A delivery leased to one dispatcher until {@link ClaimRequest.leaseMs} has passed. */
export interface ClaimedDelivery extends StoredDelivery {
  /** Proves the lease: settling with an older one changes nothing. */
  readonly lease: string;
}

/** What a dispatcher asks for. */
export interface ClaimRequest {
  readonly limit: number;
  /** How long nobody else gets the same delivery, in milliseconds. */
  readonly leaseMs: number;
  /** Longest pause in milliseconds: what is due later was put off before the clock was set back, and is due. Default: 1 hour. */
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

/** What is kept of an action for the streams: who may see it, in which report, and what the handler returned. */
export interface PublishedAction {
  /** User IDs as the host's `viewer` callback gives them. */
  readonly audience: readonly string[];
  /** The report's number, about which `canView` is asked. */
  readonly itemId: number;
  readonly reply?: ActionReply | undefined;
}

/** How an attempt ended. An outcome without `publish` reaches no stream. */
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
      /** True when no handler saw it, so that it counts as no attempt. */
      readonly isUnused?: boolean;
    };

/** A claimed delivery and how its attempt ended. */
export interface Settlement {
  readonly claimed: Pick<ClaimedDelivery, 'id' | 'lease'>;
  readonly outcome: Outcome;
}

/** One entry of the log that action streams read: a delivery that was settled, in the order of settling. */
export interface Publication extends PublishedAction {
  /** Position in the log; grows by commit order. */
  readonly cursor: number;
  readonly delivery: StoredDelivery;
}

/** Which deliveries an operator wants to see. */
export interface DeliveryFilter {
  readonly states?: readonly DeliveryState[] | undefined;
  /** First ID, inclusive. */
  readonly from?: string | undefined;
  /** Last ID, inclusive. */
  readonly to?: string | undefined;
  /** At most this many, newest first unless `from` is given. */
  readonly limit: number;
}

/** What changed: a delivery came in, or one was settled and published. */
export type InboxChange = 'appended' | 'published';

/** Largest count that {@link InboxHealth} gives: a health check must not read a whole table. */
export const maxCount = 10_000;

/** How many deliveries are in each state, up to {@link maxCount}. */
export type DeliveryCounts = Readonly<Record<DeliveryState, number>>;

/** Whether deliveries can be stored, and how many wait. */
export interface InboxHealth {
  /** True when the next delivery would be durable in the inbox itself. */
  readonly canPersist: boolean;
  /** True while deliveries go to the spill folder. */
  readonly isSpilling: boolean;
  /** How many deliveries wait in the spill folder; {@link counts} does not include them. */
  readonly spilled: number;
  readonly counts: DeliveryCounts;
}

/** What could be read of a damaged file. */
export interface Salvaged {
  /** Unfinished deliveries in the fresh file. */
  readonly salvaged: number;
  /** How many of them are parked, because their effects may have happened without a note. */
  readonly parked: number;
  /** Whether every unfinished delivery could be read. */
  readonly isComplete: boolean;
}

/** Something an operator should know about the store itself. */
export type InboxDiagnostic =
  /** The file was damaged and moved away, and a fresh one took over with what could be read. */
  | (Salvaged & { readonly kind: 'quarantined'; readonly movedTo: string; readonly error: string })
  /** What was stored is gone: the file was removed, or the store was emptied or taken from a backup while it was open. */
  | { readonly kind: 'lost'; readonly error: string }
  /** The store does not take deliveries; the spill folder does. */
  | { readonly kind: 'spilling'; readonly error: string }
  /** The store works again and has imported what was spilled. */
  | { readonly kind: 'recovered'; readonly imported: number }
  /** Deliveries in a spill file are damaged and lost; the others were imported. */
  | {
      readonly kind: 'spill-damaged';
      readonly keptAs: string;
      readonly lost: number;
      readonly imported: number;
    }
  | { readonly kind: 'low-disk'; readonly freeBytes: number };

/**
 * A durable store and queue of webhook deliveries. `sqliteInbox` and `postgresInbox` implement it, and you can write your
 * own. The main guarantee: when {@link ActionInbox.append} resolves, the delivery survives a power loss.
 */
export interface ActionInbox {
  /** Stores a delivery. Resolves when it is durable; rejects when it is not. */
  append(delivery: NewDelivery): Promise<AppendReceipt>;
  /** Leases deliveries that are due, oldest first, each to one caller. */
  claim(request: ClaimRequest): Promise<readonly ClaimedDelivery[]>;
  /** Ends a lease. Changes nothing when somebody else holds it by now. */
  settle(claimed: Settlement['claimed'], outcome: Outcome): Promise<void>;
  /** The value an effect of this delivery left, or `undefined` when it has not happened. */
  effect(deliveryId: string, key: string): Promise<{ readonly value: unknown } | undefined>;
  /** Notes that an effect of this delivery happened. The first note counts. */
  noteEffect(deliveryId: string, effect: { readonly key: string; readonly value: unknown }): Promise<void>;
  /** Published deliveries after a cursor, in order; fewer where their bodies are large, but never none while there are some. */
  publications(after: number, limit: number): Promise<readonly Publication[]>;
  /** Cursor of the newest publication. */
  lastCursor(): Promise<number>;
  /** Calls back after changes, also those of other processes where the store can tell. Returns an unsubscribe function. */
  watch(listener: (change: InboxChange) => void): () => void;
  /** Calls back with what an operator should know of the store itself. Returns an unsubscribe function. */
  onDiagnostic?(listener: (diagnostic: InboxDiagnostic) => void): () => void;
  /** Deliveries for an operator. */
  list(filter: DeliveryFilter): Promise<readonly StoredDelivery[]>;
  /**
   * Makes settled deliveries due again, whatever became of them. Resolves to how many. Attempts count from 1, the last error
   * stays until the next result, and noted effects stay noted. What is `pending` stays unchanged: a handler may have it.
   */
  replay(filter: Omit<DeliveryFilter, 'limit'>): Promise<number>;
  /** Removes deliveries settled as `done` or `unrouted` before a moment. Resolves to how many. */
  prune(settledBeforeMs: number): Promise<number>;
  health(): Promise<InboxHealth>;
  /** Waits for what is in flight, then closes files and connections. */
  close(): Promise<void>;
}
