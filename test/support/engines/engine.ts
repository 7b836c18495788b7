/** The browser engines that the tests drive. */
export const engineNames = ['chromium', 'firefox', 'webkit'] as const;
export type EngineName = (typeof engineNames)[number];

/** Settings of a user's system and browser. */
export interface ReaderSettings {
  /**
   * Reduced motion, colors of the system (`forced-colors: active`, which WebKit does not support) and a zoom of 200%,
   * which leaves half the CSS pixels. Default false.
   */
  readonly isAdapted?: boolean;
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
  /** Opens a new, isolated tab, and closes the last one. */
  readonly open: (needs?: TabNeeds) => Promise<Tab>;
  readonly close: () => Promise<void>;
}

/** A document: the page of a tab or the page in a frame, whatever its origin. */
interface Scope {
  /** Runs a self-contained function in the document. Parameters and result travel as JSON. */
  readonly evaluate: <TResult, TParameters extends readonly unknown[]>(
    run: (...parameters: TParameters) => TResult | Promise<TResult>,
    ...parameters: TParameters
  ) => Promise<TResult>;
  /** Clicks the center of an element with the mouse, wherever it is on the screen. */
  readonly click: (selector: string) => Promise<void>;
}

interface TabControls {
  readonly goto: (url: string) => Promise<unknown>;
  /** Presses and releases a key, named as in `KeyboardEvent.key`, where the keyboard focus is. */
  readonly press: (key: Key) => Promise<void>;
  /** Console messages, as far as the driver receives them. WebKit's driver receives none. */
  readonly heard: readonly string[];
}
export type Key = 'Tab' | 'Enter' | 'Home';

/** A tab. Tests do the waiting. */
export interface Tab extends Scope, TabControls {
  /** The document in a frame. It is looked up again for each call. */
  readonly frame: (selector: string) => Scope;
}

/** What a driver does in the page of its tab, or in the page of a frame. */
interface Driver extends TabControls {
  /** Runs an expression, awaits its promise, and returns its value. */
  readonly run: (expression: string, frame?: string) => Promise<unknown>;
  readonly click: (selector: string, frame?: string) => Promise<void>;
}

/** Creates a {@link Tab}. All engines receive functions as text, so that the same test runs in each. */
export const createTab = ({ run, click, ...controls }: Driver): Tab => {
  const scopeOf = (frame?: string): Scope => ({
    evaluate: async <TResult, TParameters extends readonly unknown[]>(
      script: (...parameters: TParameters) => TResult | Promise<TResult>,
      ...parameters: TParameters
    ) => {
      const list = parameters.map((parameter) => JSON.stringify(parameter)).join(', ');
      // The result of a function in the page has its type, as far as JSON represents it.
      return (await run(`(${script.toString()})(${list})`, frame)) as TResult;
    },
    click: (selector) => click(selector, frame),
  });
  return { ...controls, ...scopeOf(), frame: scopeOf };
};

/** Size of the window in CSS pixels, and its zoom. */
export const windowFor = ({ isAdapted = false }: ReaderSettings) =>
  isAdapted ? { zoom: 2, width: 500, height: 400 } : { zoom: 1, width: 1000, height: 800 };
