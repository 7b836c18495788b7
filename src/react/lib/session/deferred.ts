import type { EmbedError } from '../errors/embedError.ts';

/** A promise that is settled from outside. */
export interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: EmbedError) => void;
}

/** Creates a {@link Deferred}. A rejection that nobody handles is not reported: `onError` tells the host as well. */
export const createDeferred = (): Deferred => {
  let settle: Omit<Deferred, 'promise'> = { resolve: () => {}, reject: () => {} };
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  promise.catch(() => {});
  return { promise, ...settle };
};
