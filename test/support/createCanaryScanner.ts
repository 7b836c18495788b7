import { disguisesOf, pieceLength } from './findCanary.ts';

/** Finds pieces of secrets in texts, in time that grows with the text alone. */
export interface CanaryScanner {
  /** Watches for one more secret. */
  add(secret: string): void;
  /** The first piece of eight characters that belongs to a secret, in any usual encoding. */
  find(text: string): string | undefined;
}

export const createCanaryScanner = (...secrets: readonly string[]): CanaryScanner => {
  const pieces = new Set<string>();
  const add = (secret: string) => {
    for (const text of disguisesOf(secret))
      for (let at = 0; at + pieceLength <= text.length; at += 1) pieces.add(text.slice(at, at + pieceLength));
  };
  for (const secret of secrets) add(secret);
  return {
    add,
    find: (text) => {
      for (let at = 0; at + pieceLength <= text.length; at += 1) {
        const piece = text.slice(at, at + pieceLength);
        if (pieces.has(piece)) return piece;
      }
      return undefined;
    },
  };
};
