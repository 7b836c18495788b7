import type { Key, Scope, Tab } from './engine.ts';

/** The primitives of an engine: run an expression, and click. */
export interface ScopePrimitives {
  /** Runs an expression, awaits its promise, and returns its value. */
  readonly run: (expression: string) => Promise<unknown>;
  readonly click: (selector: string) => Promise<void>;
}

/** Creates a {@link Scope}. All engines receive functions as text, so that the same test runs in each. */
export const createScope = ({ run, click }: ScopePrimitives): Scope => ({
  evaluate: async <TResult, TParameters extends readonly unknown[]>(
    script: (...parameters: TParameters) => TResult | Promise<TResult>,
    ...parameters: TParameters
  ) => {
    const list = parameters.map((parameter) => JSON.stringify(parameter)).join(', ');
    // The result of a function in the page has its type, as far as JSON represents it.
    return (await run(`(${script.toString()})(${list})`)) as TResult;
  },
  click,
});

/** The parts that the pages of Playwright and of Puppeteer have in common. */
interface DrivenFrame {
  evaluate(expression: string): Promise<unknown>;
  click(selector: string): Promise<void>;
}
interface DrivenPage {
  readonly keyboard: { press(key: Key): Promise<void> };
  mainFrame(): DrivenFrame;
  $(selector: string): Promise<{ contentFrame(): Promise<DrivenFrame | null> } | null>;
  goto(url: string): Promise<unknown>;
}

/** Creates a {@link Tab} with a page. */
export const createTab = (page: DrivenPage, heard: readonly string[]): Tab => {
  const scopeOf = (frame: () => Promise<DrivenFrame>): Scope =>
    createScope({
      run: async (expression) => (await frame()).evaluate(expression),
      click: async (selector) => (await frame()).click(selector),
    });
  return {
    ...scopeOf(async () => page.mainFrame()),
    goto: async (url) => void (await page.goto(url)),
    frame: (selector) =>
      scopeOf(async () => {
        const frame = await (await page.$(selector))?.contentFrame();
        if (!frame) throw new Error(`There is no frame "${selector}".`);
        return frame;
      }),
    press: (key) => page.keyboard.press(key),
    heard: () => heard,
  };
};
