import type { AppendReceipt, NewDelivery } from '../actionInbox.ts';
import { packDeliveries, type StoreNews } from '../sqlite/messages.ts';
import { createSpillFile, type SpilledDelivery, type SpillFile } from '../sqlite/spillFile.ts';

/** Options of {@link createSpillWhileAway}. */
export interface SpillWhileAwayOptions {
  /** Folder of the spill files; without one deliveries are refused while the database is away. */
  readonly folder: string | undefined;
  readonly append: (deliveries: readonly NewDelivery[]) => Promise<readonly AppendReceipt[]>;
  /** Stores what was spilled, each once by its key. */
  readonly takeHome: (deliveries: readonly SpilledDelivery[]) => Promise<void>;
  readonly tell: (news: StoreNews) => void;
}

/** Appends that go to a folder while the database is away. */
export interface SpillWhileAway {
  append(deliveries: readonly NewDelivery[]): Promise<readonly AppendReceipt[]>;
  readonly isSpilling: boolean;
  /** Brings home what an ended process left; done once, when a delivery first comes or is asked for. */
  start(): void;
  stop(): void;
}

const retryMs = 1000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Keeps deliveries in files while a database is away, and brings them home when it is back. A delivery whose commit may or
 * may not have gone through is kept too: the same bytes twice are flagged, none is lost.
 */
export const createSpillWhileAway = (options: SpillWhileAwayOptions): SpillWhileAway => {
  const { folder, append, takeHome, tell } = options;
  const spill = folder === undefined ? undefined : createSpillFile(folder);
  const state = { isSpilling: false, isStopped: false, hasStarted: false };
  let timer: NodeJS.Timeout | undefined;

  /** Deliveries that go on arriving must not put it off, so the first who asks for it sets the time. */
  const later = (): void => {
    if (state.isStopped || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      void goHome();
    }, retryMs);
    timer.unref();
  };

  const takeAllHome = async (from: SpillFile): Promise<number> => {
    let imported = 0;
    for (const { deliveries, done } of from.takeOver()) {
      await takeHome(deliveries);
      imported += deliveries.length;
      const damage = done();
      if (damage) tell(damage);
    }
    return imported;
  };

  const goHome = async (): Promise<void> => {
    if (!spill) return;
    try {
      const before = await takeAllHome(spill);
      // From here on the database is asked first again; what was spilled meanwhile follows.
      state.isSpilling = false;
      const imported = before + (await takeAllHome(spill));
      if (imported > 0) tell({ kind: 'recovered', imported });
    } catch {
      // The files keep what they hold, and the next try finds them.
      later();
    }
  };

  return {
    get isSpilling() {
      return state.isSpilling;
    },
    async append(deliveries) {
      let failure: unknown = new Error('The database was away a moment ago.');
      // While it is away nobody waits for it again; `goHome` finds out when it is back.
      if (!state.isSpilling) {
        try {
          return await append(deliveries);
        } catch (error) {
          failure = error;
        }
      }
      if (!spill) throw failure;
      spill.save(packDeliveries(deliveries));
      if (!state.isSpilling) tell({ kind: 'spilling', error: messageOf(failure) });
      state.isSpilling = true;
      later();
      return deliveries.map(() => ({ isSpilled: true }));
    },
    start() {
      if (state.hasStarted) return;
      state.hasStarted = true;
      void goHome();
    },
    stop() {
      state.isStopped = true;
      clearTimeout(timer);
      spill?.close();
    },
  };
};
