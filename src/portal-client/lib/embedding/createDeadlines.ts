/** Something that must end by a moment. */
export interface Deadline {
  /** By `performance.now()`. */
  readonly dueMs: number;
  /** Its place in the list, kept by the list. */
  place: number;
  /** Called once, up to {@link lookEveryMs} after the moment. */
  onDue(): void;
}

/** Watches many deadlines with one timer. */
export interface Deadlines {
  add(deadline: Deadline): void;
  remove(deadline: Deadline): void;
}

/** How late a deadline may be noticed, in milliseconds, by a process that is not held up. */
export const lookEveryMs = 25;

/**
 * Makes {@link Deadlines}. A timer for each call would be set and cleared thousands of times a second and hardly ever
 * fire; instead one looks through all that is under way, as long as anything is.
 */
export const createDeadlines = (): Deadlines => {
  const list: Deadline[] = [];
  let timer: NodeJS.Timeout | undefined;

  const remove = (deadline: Deadline): boolean => {
    const last = list[list.length - 1];
    if (list[deadline.place] !== deadline || last === undefined) return false;
    list[deadline.place] = last;
    last.place = deadline.place;
    list.pop();
    return true;
  };

  const endThose = (due: readonly Deadline[]) => {
    // What one of them ends may take another one off the list.
    for (const deadline of due) if (remove(deadline)) deadline.onDue();
  };

  const look = () => {
    const nowMs = performance.now();
    const due = list.filter(({ dueMs }) => dueMs <= nowMs);
    // After a turn that was held up, Node runs timers before it reads the answers that came meanwhile: those go first.
    if (due.length > 0) setImmediate(endThose, due);
    if (list.length > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    add: (deadline) => {
      deadline.place = list.length;
      list.push(deadline);
      timer ??= setInterval(look, lookEveryMs);
    },
    remove: (deadline) => void remove(deadline),
  };
};
