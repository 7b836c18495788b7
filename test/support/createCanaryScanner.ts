import { disguisesOf, pieceLength } from './findCanary.ts';

/** Finds fragments of secrets in texts, in time proportional to the text. */
export interface CanaryScanner {
  /** Adds a secret. */
  add(secret: string): void;
  /** The first fragment of eight characters of any secret, in any common encoding. */
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
