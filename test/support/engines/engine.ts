/** The browser engines that the tests drive. */
export const engineNames = ['chromium', 'firefox', 'webkit'] as const;
export type EngineName = (typeof engineNames)[number];

/** Settings of a user's system or browser. */
export interface ReaderSettings {
  /** `prefers-reduced-motion: reduce`. Default false. */
  readonly reducedMotion?: boolean;
  /** `forced-colors: active`. WebKit does not support it. Default false. */
  readonly forcedColors?: boolean;
  /** Page zoom: 2 is 200%, which leaves half the CSS pixels. Default 1. */
  readonly zoom?: number;
}

/** The requirements of a test of a tab. */
export interface TabNeeds {
  /**
   * Whether it is a tab of the browser that people use. Chromium's headless shell keeps no page for the way back, and
   * fires `load` for a frame that a policy blocks. Default false.
   */
  readonly isWhole?: boolean;
}

/** A running browser. It has one tab at a time. */
export interface Engine {
  readonly name: EngineName;
  /** Opens a new, isolated tab, and closes the last one. */
  readonly open: (needs?: TabNeeds) => Promise<Tab>;
  readonly close: () => Promise<void>;
}

/** A document: the page of a tab or the page in a frame, whatever its origin. */
export interface Scope {
  /** Runs a self-contained function in the document. Parameters and result travel as JSON. */
  readonly evaluate: <TResult, TParameters extends readonly unknown[]>(
    run: (...parameters: TParameters) => TResult | Promise<TResult>,
    ...parameters: TParameters
  ) => Promise<TResult>;
  /** Clicks the center of an element with the mouse, wherever it is on the screen. */
  readonly click: (selector: string) => Promise<void>;
}

/** A tab. Tests do the waiting. */
export interface Tab extends Scope {
  readonly goto: (url: string) => Promise<void>;
  /** The document in a frame. It is looked up again for each call. */
  readonly frame: (selector: string) => Scope;
  /** Presses and releases a key, named as in `KeyboardEvent.key`, where the keyboard focus is. */
  readonly press: (key: Key) => Promise<void>;
  /** Console messages, as far as the driver receives them. WebKit's driver receives none. */
  readonly heard: () => readonly string[];
}

export type Key = 'Tab' | 'Enter' | 'Escape' | 'ArrowDown' | 'ArrowRight' | 'Home';

/** Size of the window in CSS pixels before zooming. */
export const windowSize = { width: 1000, height: 800 } as const;
