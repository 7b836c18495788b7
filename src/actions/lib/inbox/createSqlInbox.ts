import { ignoreErrors } from '@vitrine/server/internal';
import { createBatcher } from '../createBatcher.ts';
import { withTimeout } from '../withTimeout.ts';
import {
  type ActionInbox,
  type AppendReceipt,
  type DeliveryCounts,
  type InboxChange,
  type InboxDiagnostic,
  type NewDelivery,
  type Settlement,
} from './actionInbox.ts';
import type { SqlStore } from './sql/sqlStore.ts';

/** A companion of a store that runs while the inbox is open. */
export interface InboxCompanion {
  /** Announces a change to other processes; absent if that is not possible. */
  readonly announce?: (change: InboxChange) => void;
  readonly stop: () => void | Promise<void>;
}

/** Dependencies of {@link createSqlInbox}. */
export interface SqlInboxParts {
  readonly createStore: (onDiagnostic: (diagnostic: InboxDiagnostic) => void) => SqlStore;
  readonly start: (
    onChange: (change: InboxChange) => void,
    onDiagnostic: (diagnostic: InboxDiagnostic) => void,
  ) => InboxCompanion | undefined;
}

/** How long an inbox counts as failing after a rejected delivery: a load balancer may then send no more to test it. */
const refusalMs = 60_000;
/** How long a health check waits for the counts. */
const countMs = 2000;
/** Maximum rows per maintenance transaction, because acknowledgments wait for it. */
const maintenanceRows = 200;

/** Keeps up to `kept` values for the first listener. */
const createListeners = <TValue>(kept: number) => {
  const listeners = new Set<(value: TValue) => void>();
  const early: TValue[] = [];
  return {
    emit: (value: TValue): void => {
      if (listeners.size === 0 && early.length < kept) early.push(value);
      for (const listener of listeners) listener(value);
    },
    add: (listener: (value: TValue) => void): (() => void) => {
      // A wrapper, because one function may subscribe twice, and its error must not look like a failed commit.
      const own = ignoreErrors(listener);
      listeners.add(own);
      early.splice(0).forEach(own);
      return () => void listeners.delete(own);
    },
  };
};

/** Repeats a bounded step until it processes fewer rows than its limit. */
const inSteps = async (step: () => Promise<number>): Promise<number> => {
  let total = 0;
  for (let done = maintenanceRows; done >= maintenanceRows; total += done) {
    done = await step();
    // Let waiting commits run first.
    await new Promise((resume) => setImmediate(resume));
  }
  return total;
};

/** Combines the SQL store and the group commit into an inbox. */
export const createSqlInbox = ({ createStore, start }: SqlInboxParts): ActionInbox => {
  const changes = createListeners<InboxChange>(0);
  const diagnostics = createListeners<InboxDiagnostic>(10);
  const store = createStore(diagnostics.emit);
  /** `refusedUntilMs`: until when a rejected delivery counts as a failure. */
  const state = { lastId: 0, refusedUntilMs: 0 };
  let counting: Promise<DeliveryCounts> | undefined;
  let closing: Promise<void> | undefined;
  const companion = start(changes.emit, diagnostics.emit);
  const notifyListeners = (change: InboxChange): void => {
    changes.emit(change);
    companion?.announce?.(change);
  };

  /** IDs only grow; a store that was emptied or restored from a backup assigns lower ones again. */
  const checkIds = (receipts: readonly AppendReceipt[]): void => {
    const [first, last] = [Number(receipts[0]?.id), Number(receipts.at(-1)?.id)];
    if (first <= state.lastId)
      diagnostics.emit({ kind: 'lost', error: `the ID ${first} was assigned again, after ${state.lastId}` });
    state.lastId = last;
  };
  const appends = createBatcher<NewDelivery, AppendReceipt>(
    async (batch) => {
      try {
        const receipts = await store.append(batch);
        checkIds(receipts);
        notifyListeners('appended');
        state.refusedUntilMs = 0;
        return receipts;
      } catch (error) {
        state.refusedUntilMs = performance.now() + refusalMs;
        throw error;
      }
    },
    ({ raw }) => raw.byteLength,
  );
  const settlements = createBatcher<Settlement, void>(async (batch) => {
    await store.settle(batch);
    notifyListeners('published');
    return [];
  });
  // Open the store now, so that the first delivery does not wait for it.
  store.lastCursor().catch(() => undefined);

  const openStore = (): SqlStore => {
    if (closing) throw new Error('The action inbox is closed.');
    return store;
  };
  /** Shares one count among health checks, so that they do not queue up behind a hanging store. */
  const count = (): Promise<DeliveryCounts> => {
    counting ??= openStore()
      .counts()
      .finally(() => (counting = undefined));
    return counting;
  };
  const close = async (): Promise<void> => {
    await Promise.all([appends.idle(), settlements.idle()]);
    await companion?.stop();
    await store.close();
  };

  return {
    async append(delivery) {
      openStore();
      if (!(delivery.raw instanceof Uint8Array))
        throw new TypeError('A delivery needs its bytes: `raw` must be a Uint8Array.');
      // Copy the bytes: a view of a pooled buffer would send the whole pool to another thread.
      return appends.add({ ...delivery, raw: new Uint8Array(delivery.raw) });
    },
    claim: async (request) => openStore().claim(request),
    async settle({ id, lease }, outcome) {
      openStore();
      return settlements.add({ claimed: { id, lease }, outcome });
    },
    effect: async (id, key) => openStore().effect(id, key),
    noteEffect: async (id, { key, value }) => openStore().noteEffect(id, key, value),
    publications: async (after, limit) => openStore().publications(after, limit),
    lastCursor: async () => openStore().lastCursor(),
    watch: changes.add,
    onDiagnostic: diagnostics.add,
    list: async (filter) => openStore().list(filter),
    async replay(filter) {
      let from = filter.from;
      const total = await inSteps(async () => {
        const ids = await openStore().replay({ ...filter, from, limit: maintenanceRows });
        from = ids.reduce((last, id) => (BigInt(id) > BigInt(last) ? id : last), from ?? '0');
        return ids.length;
      });
      if (total > 0) notifyListeners('appended');
      return total;
    },
    prune: (settledBeforeMs) => inSteps(async () => openStore().prune(settledBeforeMs, maintenanceRows)),
    async health() {
      const canPersist = performance.now() > state.refusedUntilMs;
      try {
        const counts = await withTimeout({ what: 'Counting the deliveries', timeoutMs: countMs }, count);
        return { canPersist, counts };
      } catch {
        return { canPersist: false };
      }
    },
    close: () => (closing ??= close()),
  };
};
