/**
 * What a report needs from the page around it, named as in the browser's global object, which is the default. Tests pass
 * their own, so that they can simulate years, sleeping machines and clocks that are set.
 */
export interface Environment {
  /** A clock that nobody sets. It may stop while the machine sleeps. */
  readonly performance: { now(): number };
  /** The wall clock. People set it forward and back. */
  readonly Date: { now(): number };
  /** The source of the moments at which keys are renewed and failed requests repeated. */
  readonly Math: { random(): number };
  /** Runs something once after a delay; what it returns cancels it. */
  readonly setTimeout: (run: () => void, delayMs: number) => unknown;
  /** Cancels what `setTimeout` returned. */
  readonly clearTimeout: (timer: never) => void;
  /** Adds a listener to the window. A capturing listener also sees the events of the document. */
  readonly addEventListener: EventListening;
  /** Removes a listener that `addEventListener` added with the same arguments. */
  readonly removeEventListener: EventListening;
  /** `hidden` while nobody can see the page. */
  readonly document: { readonly hidden: boolean };
  /** `onLine` is false only when the browser is certain that there is no network. */
  readonly navigator: { readonly onLine?: boolean | undefined };
  /** Watches for a `lazy` report to come near the viewport. */
  readonly IntersectionObserver: new (
    listener: (entries: readonly { readonly isIntersecting: boolean }[]) => void,
    options: { readonly rootMargin: string },
  ) => Pick<IntersectionObserver, 'observe' | 'disconnect'>;
  /** Reads the bytes of the action stream as text. */
  readonly TextDecoderStream: new () => ReadableWritablePair<string, BufferSource>;
  /** Whether the page is cross-origin isolated (COOP and COEP). Default false. */
  readonly crossOriginIsolated?: boolean | undefined;
  /** How frames are handled. Default: as browsers need it. For tests without a browser. */
  readonly iframes?: FrameEnvironment | undefined;
}

/** What the page does with its iframes. */
export interface FrameEnvironment {
  /** Sends a frame that starts empty to its address. */
  readonly navigate: (element: HTMLIFrameElement, src: string) => void;
  /** Whether a frame holds the empty document it starts with. */
  readonly isEmpty: (element: HTMLIFrameElement) => boolean;
}

type EventListening = (type: string, listener: (event: Event) => void, isCapturing: boolean) => void;
