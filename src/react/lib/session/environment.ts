/**
 * What a report needs from the page, with the names of the browser's global object, which is the default. Tests pass
 * their own, to simulate long times, suspended machines and clock changes.
 */
export interface Environment {
  /** The monotonic clock. It may stop while the machine is suspended. */
  readonly performance: { now(): number };
  /** The wall clock, which may be set forward or back. */
  readonly Date: { now(): number };
  /** Random numbers, for the times of renewals and retries. */
  readonly Math: { random(): number };
  /** Runs a function once after a delay; returns a handle for `clearTimeout`. */
  readonly setTimeout: (run: () => void, delayMs: number) => unknown;
  /** Cancels a timer of `setTimeout`. */
  readonly clearTimeout: (timer: never) => void;
  /** Adds a listener to the window. A capturing listener also sees the events of the document. */
  readonly addEventListener: EventListening;
  /** Removes a listener that `addEventListener` added with the same arguments. */
  readonly removeEventListener: EventListening;
  /** `hidden` while nobody can see the page. */
  readonly document: { readonly hidden: boolean };
  /** `onLine` is false only when the browser is certain that there is no network. */
  readonly navigator: { readonly onLine?: boolean | undefined };
  /** Detects when a `lazy` report nears the viewport. */
  readonly IntersectionObserver: new (
    listener: (entries: readonly { readonly isIntersecting: boolean }[]) => void,
    options: { readonly rootMargin: string },
  ) => Pick<IntersectionObserver, 'observe' | 'disconnect'>;
  /** Reads the bytes of the action stream as text. */
  readonly TextDecoderStream: new () => ReadableWritablePair<string, BufferSource>;
  /** Whether the page is cross-origin isolated (COOP and COEP). Default false. */
  readonly crossOriginIsolated?: boolean | undefined;
  /** Frame handling, for tests without a browser. Default: for browsers. */
  readonly iframes?: FrameEnvironment | undefined;
}

/** How the page handles its iframes. */
export interface FrameEnvironment {
  /** Navigates an empty frame to its URL. */
  readonly navigate: (element: HTMLIFrameElement, src: string) => void;
  /** Whether a frame still has its initial empty document. */
  readonly isEmpty: (element: HTMLIFrameElement) => boolean;
}

type EventListening = (type: string, listener: (event: Event) => void, isCapturing: boolean) => void;
