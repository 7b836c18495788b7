/** Everything the life of a report depends on outside of itself, so that years of it can be simulated. */
export interface Environment {
  /** Milliseconds of a clock that is never set, from an arbitrary start. It may stand still while a machine sleeps. */
  readonly monotonicNow: () => number;
  /** Milliseconds since 1970. People set it forward and back. */
  readonly wallNow: () => number;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Runs once after a delay; returns its cancellation. */
  readonly setTimer: (run: () => void, delayMs: number) => () => void;
  /** Listens to an event of the window or document; returns the end of it. */
  readonly listen: (type: string, listener: (event: Event) => void) => () => void;
  /** Calls back once an element is near the viewport; returns the end of the watch. */
  readonly onNear: (element: Element, listener: () => void) => () => void;
  /** Whether the page is visible. */
  readonly isVisible: () => boolean;
  /** False only when the browser is certain that there is no network. */
  readonly isOnline: () => boolean;
}
