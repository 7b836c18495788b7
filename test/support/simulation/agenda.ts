/** Tasks at moments of a simulated time, in order. */
export interface Agenda {
  /** The current time, in milliseconds from the start. */
  readonly now: () => number;
  /** Schedules a task; returns a function that cancels it. */
  readonly at: (time: number, run: () => void) => () => void;
  /** Runs everything up to a moment, and lets promises settle when a task requests it. */
  readonly runUntil: (time: number) => Promise<void>;
  /** Lets promises settle before the next task. */
  readonly breathe: () => void;
  /** Calls back before time passes. */
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
