import type {
  ActionReply,
  ClaimRequest,
  DeliveryFilter,
  DeliveryState,
  NewDelivery,
  Outcome,
  StoredDelivery,
} from '../actionInbox.ts';

/** Deliveries of one round, their bytes laid end to end in one buffer so that one transfer moves them all. */
export interface PackedDeliveries {
  readonly bytes: Uint8Array;
  /** Where each body ends in `bytes`. */
  readonly ends: readonly number[];
  readonly receivedAtMs: readonly number[];
  /** The rarer facts of a delivery; `null` when there is none. */
  readonly notes: readonly (DeliveryNotes | null)[];
}

export interface DeliveryNotes {
  readonly source?: string | undefined;
  readonly encoding?: string | undefined;
  readonly isRebuilt?: boolean | undefined;
}

/** A delivery as plain data between threads. IDs are numbers here and text outside. */
export interface DeliveryRow {
  readonly id: number;
  readonly raw: Uint8Array;
  readonly receivedAtMs: number;
  readonly source: string | null;
  readonly encoding: string | null;
  readonly isRebuilt: boolean;
  readonly state: DeliveryState;
  readonly duplicateOf: number | null;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly dueAtMs: number;
  readonly isIntact: boolean;
}

/** Everything but an append that a round may carry. */
export type Operation =
  | { readonly kind: 'claim'; readonly request: ClaimRequest }
  | {
      readonly kind: 'settle';
      readonly id: number;
      readonly lease: number;
      readonly outcome: Outcome;
    }
  | { readonly kind: 'effect'; readonly id: number; readonly key: string }
  | { readonly kind: 'noteEffect'; readonly id: number; readonly key: string; readonly value: string | null }
  | { readonly kind: 'publications'; readonly after: number; readonly limit: number }
  | { readonly kind: 'lastCursor' }
  | { readonly kind: 'list'; readonly filter: DeliveryFilter }
  | { readonly kind: 'replay'; readonly filter: Omit<DeliveryFilter, 'limit'> }
  | { readonly kind: 'prune'; readonly settledBeforeMs: number }
  | { readonly kind: 'counts' };

export interface PublicationRow {
  readonly cursor: number;
  readonly publishedAtMs: number;
  readonly reply: ActionReply | undefined;
  readonly delivery: DeliveryRow;
}

/** What each operation answers. */
export interface OperationResults {
  readonly claim: readonly (DeliveryRow & { readonly lease: number })[];
  readonly settle: null;
  readonly effect: { readonly value: string | null } | null;
  readonly noteEffect: null;
  readonly publications: readonly PublicationRow[];
  readonly lastCursor: number;
  readonly list: readonly DeliveryRow[];
  readonly replay: number;
  readonly prune: number;
  readonly counts: Readonly<Record<DeliveryState, number>>;
}

export type OperationResult =
  | { readonly isOk: true; readonly value: OperationResults[keyof OperationResults] }
  | { readonly isOk: false; readonly error: string };

/** One transaction's worth of work. */
export interface Round {
  readonly nowMs: number;
  readonly deliveries: PackedDeliveries | null;
  readonly operations: readonly Operation[];
}

/** How the deliveries of a round fared: committed, saved to the spill file instead, or not saved at all. */
export type AppendOutcome =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'committed';
      readonly ids: readonly number[];
      readonly duplicatesOf: readonly (number | null)[];
    }
  | { readonly kind: 'spilled'; readonly error: string }
  | { readonly kind: 'lost'; readonly error: string };

/** Something an operator should hear about. */
export type StoreNews =
  | { readonly kind: 'damaged'; readonly movedTo: string; readonly error: string; readonly salvaged: number }
  | { readonly kind: 'spilling'; readonly error: string }
  | { readonly kind: 'low-disk'; readonly freeBytes: number; readonly minFreeBytes: number }
  | { readonly kind: 'recovered'; readonly imported: number }
  /** A spill file was read whose records are damaged in so many places; it is kept under the new name. */
  | {
      readonly kind: 'spill-damaged';
      readonly keptAs: string;
      readonly damagedPlaces: number;
      /** Deliveries of the file that were whole and are taken over. */
      readonly imported: number;
    };

export interface RoundResult {
  readonly append: AppendOutcome;
  readonly operations: readonly OperationResult[];
  readonly news: readonly StoreNews[];
  readonly isSpilling: boolean;
  /** Whether the disk takes so long that it pays to commit while it syncs. */
  readonly isDiskSlow: boolean;
}

const notesOf = ({ source, encoding, isRebuilt }: NewDelivery): DeliveryNotes | null =>
  source === undefined && encoding === undefined && !isRebuilt ? null : { source, encoding, isRebuilt };

/** Equal neighbours share one object: between threads it is then written once. */
const allNotes = (deliveries: readonly NewDelivery[]): readonly (DeliveryNotes | null)[] => {
  let last: DeliveryNotes | null = null;
  return deliveries.map((delivery) => {
    const isLikeLast =
      last?.source === delivery.source &&
      last?.encoding === delivery.encoding &&
      last?.isRebuilt === delivery.isRebuilt;
    if (!isLikeLast) last = notesOf(delivery);
    return last;
  });
};

/** Lays deliveries end to end. */
export const packDeliveries = (deliveries: readonly NewDelivery[]): PackedDeliveries => {
  let total = 0;
  const ends = deliveries.map(({ raw }) => (total += raw.byteLength));
  const bytes = new Uint8Array(total);
  deliveries.forEach((delivery, index) => bytes.set(delivery.raw, index === 0 ? 0 : ends[index - 1]));
  return {
    bytes,
    ends,
    receivedAtMs: deliveries.map(({ receivedAtMs }) => receivedAtMs),
    notes: allNotes(deliveries),
  };
};

/** Body of one packed delivery. */
export const packedBody = (packed: PackedDeliveries, index: number): Uint8Array =>
  packed.bytes.subarray(index === 0 ? 0 : packed.ends[index - 1], packed.ends[index]);

export const toStored = (row: DeliveryRow): StoredDelivery => ({
  id: String(row.id),
  raw: row.raw,
  receivedAtMs: row.receivedAtMs,
  source: row.source ?? undefined,
  encoding: row.encoding ?? undefined,
  isRebuilt: row.isRebuilt,
  state: row.state,
  duplicateOf: row.duplicateOf === null ? undefined : String(row.duplicateOf),
  attempts: row.attempts,
  lastError: row.lastError ?? undefined,
  dueAtMs: row.dueAtMs,
  isIntact: row.isIntact,
});
