import type { StoreNews } from './sqlite/messages.ts';

/** One webhook delivery as it came in, before anybody looked inside. */
export interface NewDelivery {
  /** The body, byte for byte. */
  readonly raw: Uint8Array;
  /** When the body had arrived, in milliseconds since 1970. */
  readonly receivedAtMs: number;
  /** Address of the sender, where the server knows it. */
  readonly source?: string | undefined;
  /** Value of `Content-Encoding`; the body is stored as it came and unpacked when it is read. */
  readonly encoding?: string | undefined;
  /** True when a body parser had consumed the bytes and the body was written again from its result. */
  readonly isRebuilt?: boolean | undefined;
}

/** What is known the moment a delivery is durable. */
export interface AppendReceipt {
  /** ID in the inbox; absent while the delivery waits in the spill file. */
  readonly id?: string;
  /** ID of the first delivery with the same bytes within the duplicate window. It is a flag: both are delivered. */
  readonly duplicateOf?: string;
  /** True when the inbox itself could not take it and the spill file did. */
  readonly isSpilled: boolean;
}

/**
 * Where a delivery stands: `pending` waits for its handler or its next attempt, `done` was handled,
 * `parked` cannot be understood and waits for a person, `dead` failed at every attempt.
 */
export type DeliveryState = 'pending' | 'done' | 'parked' | 'dead';

/** A delivery as the inbox keeps it. */
export interface StoredDelivery extends NewDelivery {
  readonly id: string;
  readonly state: DeliveryState;
  readonly duplicateOf?: string | undefined;
  /** How many times it was handed to a handler, since it came or was last replayed. */
  readonly attempts: number;
  /** Why the last attempt failed or why it is parked. */
  readonly lastError?: string | undefined;
  /** When it is due next, in milliseconds since 1970; 0 before its first attempt. Only meaningful while `pending`. */
  readonly dueAtMs: number;
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
}

/** What a handler adds to an action on its way to the viewers. */
export interface ActionReply {
  /** Plain JSON for the viewer's `onAction`. */
  readonly result?: unknown;
  /** Asks the component to show the report anew, because its data has changed. */
  readonly refresh?: boolean;
  /** A sentence for the viewer. */
  readonly message?: string;
}

/** How an attempt ended. */
export type Outcome =
  | {
      readonly kind: 'done';
      readonly reply?: ActionReply | undefined;
      /** True keeps it out of {@link ActionInbox.publications}. */
      readonly isSilent?: boolean;
    }
  | {
      readonly kind: 'retry';
      readonly delayMs: number;
      readonly error: string;
      /** True when no handler saw it, so that it counts as no attempt. */
      readonly isUnused?: boolean;
    }
  | { readonly kind: 'parked'; readonly error: string }
  | { readonly kind: 'dead'; readonly error: string };

/** One entry of the log that action streams read: a delivery that was settled, in the order of settling. */
export interface Publication {
  /** Position in the log; grows by commit order. */
  readonly cursor: number;
  readonly publishedAtMs: number;
  readonly delivery: StoredDelivery;
  readonly reply?: ActionReply | undefined;
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

/** Whether deliveries can be stored right now, and how many wait. */
export interface InboxHealth {
  /** True when the next delivery would be durable in the inbox itself. */
  readonly canPersist: boolean;
  readonly isSpilling: boolean;
  readonly counts: Readonly<Record<DeliveryState, number>>;
}

/**
 * A durable store of webhook deliveries and the queue that hands them out.
 *
 * Bring your own by implementing this; `sqliteInbox` and `postgresInbox` are two of them. Everything rests on one promise:
 * when {@link ActionInbox.append} resolves, the delivery survives the loss of power.
 */
export interface ActionInbox {
  /** Its own length of a lease, in milliseconds, where it does not go by {@link ClaimRequest.leaseMs}. */
  readonly leaseMs?: number;
  /** Stores a delivery. Resolves when it is durable; rejects when it is not. */
  append(delivery: NewDelivery): Promise<AppendReceipt>;
  /** Leases deliveries that are due, oldest first, each to one caller. */
  claim(request: ClaimRequest): Promise<readonly ClaimedDelivery[]>;
  /** Ends a lease. `done` and `dead` put the delivery into {@link ActionInbox.publications}. */
  settle(claimed: ClaimedDelivery, outcome: Outcome): Promise<void>;
  /** The value an effect of this delivery left, or `undefined` when it has not happened. */
  effect(deliveryId: string, key: string): Promise<{ readonly value: unknown } | undefined>;
  /** Notes that an effect of this delivery happened. */
  noteEffect(deliveryId: string, effect: { readonly key: string; readonly value: unknown }): Promise<void>;
  /** Published deliveries after a cursor, in order. */
  publications(after: number, limit: number): Promise<readonly Publication[]>;
  /** Cursor of the newest publication; 0 when there is none. */
  lastCursor(): Promise<number>;
  /** Calls back after changes, also those of other processes where the store can tell. Returns its own undo. */
  watch(listener: (change: InboxChange) => void): () => void;
  /** Calls back with what an operator should know of the store itself. Returns its own undo. */
  hear?(listener: (news: StoreNews) => void): () => void;
  /** Deliveries for an operator. */
  list(filter: DeliveryFilter): Promise<readonly StoredDelivery[]>;
  /**
   * Makes settled deliveries due again, whatever became of them. Resolves to how many. What is `pending` is left alone: a
   * handler may have it at this moment, and would have it twice. They begin anew: attempts count from 1 and all of them may be
   * made, and the last error stays until the next result. What {@link ActionInbox.noteEffect} noted stays noted, so that an
   * effect which has happened does not happen again.
   */
  replay(filter: Omit<DeliveryFilter, 'limit'>): Promise<number>;
  /** Removes deliveries settled as `done` before a moment. Nothing undelivered is ever removed. Resolves to how many. */
  prune(settledBeforeMs: number): Promise<number>;
  health(): Promise<InboxHealth>;
  /** Waits for what is in flight, then lets go of files and connections. */
  close(): Promise<void>;
}
