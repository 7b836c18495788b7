import type { Scope } from './engine.ts';

/** What an engine does by itself: it runs an expression, and clicks. */
export interface ScopePrimitives {
  /** Runs an expression, awaits its promise, and gives its value. */
  readonly run: (expression: string) => Promise<unknown>;
  readonly click: (selector: string) => Promise<void>;
}

/** Creates a {@link Scope}. All engines get functions as text, so that one and the same test runs in each. */
export const createScope = ({ run, click }: ScopePrimitives): Scope => ({
  evaluate: async <TResult, TParameters extends readonly unknown[]>(
    script: (...parameters: TParameters) => TResult | Promise<TResult>,
    ...parameters: TParameters
  ) => {
    const list = parameters.map((parameter) => JSON.stringify(parameter)).join(', ');
    // What a function returns in the page has its type, as far as JSON carries it.
    return (await run(`(${script.toString()})(${list})`)) as TResult;
  },
  click,
});
