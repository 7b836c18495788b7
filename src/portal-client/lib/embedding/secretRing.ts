import type { PortalConnection } from './portalConnection.ts';

/** One API key and one passphrase, by their places in the connection's lists (0 is the newest). */
export interface SecretPair {
  readonly apiKey: number;
  readonly passPhrase: number;
}

/** Remembers which of several secrets the portal took last, so that a rotation costs one refused call and not one each. */
export interface SecretRing {
  current(): SecretPair;
  /** The pair to try after a refusal, or undefined when every one has been tried since `first`. */
  next(refused: SecretPair, which: keyof SecretPair, tried: number): SecretPair | undefined;
  /** Notes that the portal took this pair. */
  accept(pair: SecretPair): void;
}

/** Makes the {@link SecretRing} of a connection; it starts with the newest secrets. */
export const createSecretRing = (connection: PortalConnection): SecretRing => {
  const sizes = { apiKey: connection.apiKeys.length, passPhrase: connection.passPhrases.length };
  let current: SecretPair = { apiKey: 0, passPhrase: 0 };
  return {
    current: () => current,
    next: (refused, which, tried) =>
      tried < sizes[which] ? { ...refused, [which]: (refused[which] + 1) % sizes[which] } : undefined,
    accept: (pair) => {
      current = pair;
    },
  };
};
