import type { Scope } from './engine.ts';

/** The primitives of an engine: run an expression, and click. */
interface ScopePrimitives {
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
