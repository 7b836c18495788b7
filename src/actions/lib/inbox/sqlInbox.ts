import { safely } from '@vitrine/server/internal';
import { messageOf } from '../messageOf.ts';
import {
  type ActionInbox,
  type AppendReceipt,
  type DeliveryCounts,
  deliveryStates,
  type InboxChange,
  type InboxDiagnostic,
  type NewDelivery,
  type Settlement,
} from './actionInbox.ts';
import { createBatcher } from './batcher.ts';
import type { SpillFolder } from './spill/spillFolder.ts';
import type { SqlStore } from './sql/sqlStore.ts';

/** What {@link createSqlInbox} is built from. */
export interface SqlInboxParts {
  readonly store: SqlStore;
  /** Makes the spill folder, or gives `undefined` where deliveries are rejected instead. */
  readonly createSpill: (onDiagnostic: (diagnostic: InboxDiagnostic) => void) => SpillFolder | undefined;
  /** Starts whatever the database needs beside the store: listening to other processes, alarms. Returns its end. */
  readonly start: (signals: InboxSignals) => () => void;
}

/** What the parts of an inbox tell it. */
export interface InboxSignals {
  readonly onChange: (change: InboxChange) => void;
  readonly onDiagnostic: (diagnostic: InboxDiagnostic) => void;
}

const importEveryMs = 1000;
/** Rows of one transaction of maintenance: acknowledgements wait for it. */
const maintenanceRows = 200;

const noCounts = Object.fromEntries(deliveryStates.map((state) => [state, 0])) as DeliveryCounts; // one number a state

const createListeners = <TValue>() => {
  const listeners = new Set<(value: TValue) => void>();
  return {
    emit: (value: TValue): void => {
      for (const listener of listeners) listener(value);
    },
    add: (listener: (value: TValue) => void): (() => void) => {
      // A wrapper, because one function may listen twice, and one that throws must not pass for a failed commit.
      const own = safely(listener);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
};

/** Repeats a bounded step until it had less to do than it may do. */
const inSteps = async (step: () => Promise<number>): Promise<number> => {
  let total = 0;
  for (let done = maintenanceRows; done >= maintenanceRows; total += done) {
    done = await step();
    // Lets whoever waits for a commit go first.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return total;
};

/** Joins the SQL store, the group commit and the spill folder to an inbox. */
export const createSqlInbox = ({ store, createSpill, start }: SqlInboxParts): ActionInbox => {
  const changes = createListeners<InboxChange>();
  const diagnostics = createListeners<InboxDiagnostic>();
  const early: InboxDiagnostic[] = [];
  /** What is found before the host listens is told when it does. */
  let tell = (diagnostic: InboxDiagnostic): void => void early.push(diagnostic);
  const onDiagnostic = (diagnostic: InboxDiagnostic): void => tell(diagnostic);
  const spill = createSpill(onDiagnostic);
  /** `imported`: since the store last worked. */
  const state = { isSpilling: false, imported: 0, closing: undefined as Promise<void> | undefined };
  let importTimer: NodeJS.Timeout | undefined;
  let importing = Promise.resolve();

  const spillBatch = async (
    batch: readonly NewDelivery[],
    error: unknown,
  ): Promise<readonly AppendReceipt[]> => {
    if (spill === undefined) throw error;
    await spill.write(batch).catch((spillError: unknown) => {
      if (error === undefined) throw spillError;
      throw new Error(`${messageOf(error)}; the spill folder failed too: ${messageOf(spillError)}`);
    });
    if (!state.isSpilling) onDiagnostic({ kind: 'spilling', error: messageOf(error) });
    state.isSpilling = true;
    scheduleImport(importEveryMs);
    return batch.map(() => ({ isSpilled: true }));
  };

  const appends = createBatcher<NewDelivery, AppendReceipt>({
    bytesOf: ({ raw }) => raw.byteLength,
    run: async (deliveries) => {
      // The import finds out whether the store is back, so that no request waits for its time limit.
      const spilled = state.isSpilling && (await spillBatch(deliveries, undefined).catch(() => undefined));
      if (spilled) return spilled;
      try {
        const receipts = await store.append({ deliveries });
        changes.emit('appended');
        return receipts;
      } catch (error) {
        return spillBatch(deliveries, error);
      }
    },
  });
  const settlements = createBatcher<Settlement, void>({
    run: async (batch) => {
      await store.settle(batch);
      changes.emit('published');
      return [];
    },
  });

  const importSpilled = async (): Promise<void> => {
    try {
      await spill?.importSpilled(async (deliveries, spillFile) => {
        state.imported += (await store.append({ deliveries, spillFile })).length;
      });
      const { imported } = state;
      state.imported = 0;
      if (state.isSpilling && imported === 0) await store.lastCursor();
      if (state.isSpilling || imported > 0) onDiagnostic({ kind: 'recovered', imported });
      state.isSpilling = false;
      if (imported > 0) changes.emit('appended');
    } catch {
      scheduleImport(importEveryMs);
    }
  };
  const scheduleImport = (delayMs: number): void => {
    if (state.closing || importTimer !== undefined) return;
    importTimer = setTimeout(() => {
      importTimer = undefined;
      importing = importing.then(importSpilled);
    }, delayMs);
    importTimer.unref();
  };
  // At once, so that the first delivery does not wait for it.
  store.lastCursor().catch(() => undefined);
  // What an earlier process has left.
  if (spill) scheduleImport(0);
  const stop = start({ onChange: changes.emit, onDiagnostic });

  const open = <TArguments extends readonly unknown[], TResult>(
    run: (...parameters: TArguments) => Promise<TResult>,
  ) => {
    return async (...parameters: TArguments): Promise<TResult> => {
      if (state.closing) throw new Error('The action inbox is closed.');
      return run(...parameters);
    };
  };
  return {
    append: open((delivery: NewDelivery) => {
      if (delivery.raw instanceof Uint8Array) return appends.add(delivery);
      throw new TypeError('A delivery needs its bytes: `raw` must be a Uint8Array.');
    }),
    claim: open(store.claim),
    settle: open(({ id, lease }, outcome) => settlements.add({ claimed: { id, lease }, outcome })),
    effect: open(store.effect),
    noteEffect: open((id, { key, value }) => store.noteEffect(id, key, value)),
    publications: open(store.publications),
    lastCursor: open(store.lastCursor),
    watch: changes.add,
    onDiagnostic(listener) {
      const unsubscribe = diagnostics.add(listener);
      tell = diagnostics.emit;
      early.splice(0).forEach(tell);
      return unsubscribe;
    },
    list: open(store.list),
    replay: open(async (filter) => {
      let from = filter.from;
      const count = await inSteps(async () => {
        const ids = await store.replay({ ...filter, from, limit: maintenanceRows });
        from = ids.reduce((last, id) => (BigInt(id) > BigInt(last) ? id : last), from ?? '0');
        return ids.length;
      });
      if (count > 0) changes.emit('appended');
      return count;
    }),
    prune: open((settledBeforeMs) => inSteps(() => store.prune(settledBeforeMs, maintenanceRows))),
    async health() {
      const { isSpilling } = state;
      try {
        if (state.closing) throw new Error('The action inbox is closed.');
        return { canPersist: !isSpilling, isSpilling, counts: await store.counts() };
      } catch {
        return { canPersist: false, isSpilling, counts: noCounts };
      }
    },
    close() {
      state.closing ??= (async () => {
        await Promise.all([appends.idle(), settlements.idle()]);
        clearTimeout(importTimer);
        await importing;
        stop();
        await store.close();
      })();
      return state.closing;
    },
  };
};
