/** Tasks at moments of a simulated time, in order. It has few at a time. */
export type Agenda = ReturnType<typeof createAgenda>;

export const createAgenda = () => {
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
    /** The current time, in milliseconds from the start. */
    now: () => now,
    /** Schedules a task; returns a function that cancels it. */
    at: (time: number, run: () => void) => {
      const task = { time: Math.max(time, now), run };
      tasks.add(task);
      return () => void tasks.delete(task);
    },
    /** Runs everything up to a moment, and lets promises settle when a task requests it. */
    runUntil: async (time: number): Promise<void> => {
      await settle();
      for (let task = nextDue(time); task; task = nextDue(time)) {
        tasks.delete(task);
        pass(task.time);
        task.run();
        if (mustBreathe) await settle();
      }
      pass(time);
    },
    /** Lets promises settle before the next task. */
    breathe: () => {
      mustBreathe = true;
    },
    /** Calls back before time passes. */
    onPass: (listener: (from: number, to: number) => void) => listeners.push(listener),
  };
};
