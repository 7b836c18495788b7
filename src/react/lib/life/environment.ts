/**
 * What the life of a report depends on outside of itself, named as in the global object of a browser, which is the
 * default. A test passes an object of its own, so that years can be simulated.
 */
export interface Environment {
  /** A clock that is never set. It may stand still while a machine sleeps. */
  readonly performance: { now(): number };
  /** The wall clock. People set it forward and back. */
  readonly Date: { now(): number };
  readonly Math: { random(): number };
  readonly setTimeout: (run: () => void, delayMs: number) => unknown;
  readonly clearTimeout: (timer: never) => void;
  /** Events of the window, and of the document on their way through it. */
  readonly addEventListener: EventListening;
  readonly removeEventListener: EventListening;
  readonly document: { readonly hidden: boolean };
  /** `onLine` is false only when the browser is certain that there is no network. */
  readonly navigator: { readonly onLine: boolean };
  readonly IntersectionObserver: new (
    listener: (entries: readonly { readonly isIntersecting: boolean }[]) => void,
    options: { readonly rootMargin: string },
  ) => Pick<IntersectionObserver, 'observe' | 'disconnect'>;
}

type EventListening = (type: string, listener: (event: Event) => void, isCapturing: boolean) => void;
