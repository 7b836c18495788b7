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

/** Creates an {@link Agenda}. It has few tasks at a time. */
export const createAgenda = (): Agenda => {
  const tasks = new Set<{ readonly time: number; readonly run: () => void }>();
  const listeners: ((from: number, to: number) => void)[] = [];
  let now = 0;
  let mustBreathe = false;

  /** The first due task; of several at the same time, the one that was added first. */
  const nextDue = (until: number) => {
    let next: { readonly time: number; readonly run: () => void } | undefined;
    for (const task of tasks) if (task.time <= until && (!next || task.time < next.time)) next = task;
    return next;
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
      const task = { time: Math.max(time, now), run };
      tasks.add(task);
      return () => void tasks.delete(task);
    },
    runUntil: async (time) => {
      await settle();
      for (let task = nextDue(time); task; task = nextDue(time)) {
        tasks.delete(task);
        pass(task.time);
        task.run();
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
