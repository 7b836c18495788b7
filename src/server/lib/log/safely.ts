import { isThenable } from '../access/isThenable.ts';

const nothing = (): void => undefined;

/** Calls a callback of the host that only listens. What it throws or rejects with is its own business. */
export const safely =
  <TArgument>(listen: (argument: TArgument) => unknown): ((argument: TArgument) => void) =>
  (argument) => {
    try {
      const answer = listen(argument);
      if (isThenable(answer)) answer.then(nothing, nothing);
    } catch {
      // Whoever listens must not be able to stop what they listen to.
    }
  };
