/** Things to do at moments of a simulated time, in order. */
export interface Agenda {
  /** The present, in milliseconds from the start. */
  readonly now: () => number;
  /** Plans something; returns its cancellation. */
  readonly at: (time: number, run: () => void) => () => void;
  /** Does everything up to a moment, letting promises settle wherever something asks for it. */
  readonly runUntil: (time: number) => Promise<void>;
  /** Asks for promises to settle before the next entry. */
  readonly breathe: () => void;
  /** Calls back whenever time is about to pass. */
  readonly onPass: (listener: (from: number, to: number) => void) => void;
}

interface Entry {
  readonly time: number;
  readonly order: number;
  run: (() => void) | undefined;
}

const isBefore = (one: Entry, other: Entry) =>
  one.time < other.time || (one.time === other.time && one.order < other.order);

/** Creates an {@link Agenda}: a binary heap. */
export const createAgenda = (): Agenda => {
  const heap: Entry[] = [];
  const listeners: ((from: number, to: number) => void)[] = [];
  let now = 0;
  let order = 0;
  let mustBreathe = false;

  const push = (entry: Entry) => {
    let index = heap.length;
    heap.push(entry);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(entry, heap[parent]!)) break;
      heap[index] = heap[parent]!;
      index = parent;
    }
    heap[index] = entry;
  };
  const pop = () => {
    const first = heap[0]!;
    const last = heap.pop()!;
    if (heap.length === 0) return first;
    let index = 0;
    for (;;) {
      let child = index * 2 + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (!isBefore(heap[child]!, last)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = last;
    return first;
  };
  const pass = (to: number) => {
    if (to <= now) return;
    for (const listener of listeners) listener(now, to);
    now = to;
  };

  const settle = async () => {
    if (!mustBreathe) return;
    mustBreathe = false;
    for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
  };

  return {
    now: () => now,
    at: (time, run) => {
      const entry: Entry = { time: Math.max(time, now), order: order++, run };
      push(entry);
      return () => {
        entry.run = undefined;
      };
    },
    runUntil: async (time) => {
      await settle();
      while (heap.length > 0 && heap[0]!.time <= time) {
        const { time: due, run } = pop();
        if (!run) continue;
        pass(due);
        run();
        if (mustBreathe) await settle();
      }
      pass(time);
    },
    breathe: () => {
      mustBreathe = true;
    },
    onPass: (listener) => listeners.push(listener),
  };
};
