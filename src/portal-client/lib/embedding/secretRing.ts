import type { SecretPair } from '../errors/callStats.ts';
import type { PortalConnection } from './portalConnection.ts';

/**
 * Remembers which of several secrets the portal last accepted, so that a rotation costs one refused call and not one
 * per key.
 */
export interface SecretRing {
  /** The pair to try first: the last accepted one, or once a minute the newest, which the portal may accept again. */
  current(): SecretPair;
  /** The pair to try after a refusal, or undefined if all have been tried. */
  next(refused: SecretPair, which: keyof SecretPair, tried: number): SecretPair | undefined;
  /** Records that the portal accepted this pair. */
  accept(pair: SecretPair): void;
}

const newest: SecretPair = { apiKey: 0, passPhrase: 0 };
const newestPauseMs = 60_000;

/** Creates the {@link SecretRing} of a connection, starting with the newest secrets. */
export const createSecretRing = (connection: PortalConnection): SecretRing => {
  const sizes = { apiKey: connection.apiKeys.length, passPhrase: connection.passPhrases.length };
  let current: SecretPair = newest;
  let retryNewestMs = 0;
  return {
    current: () => {
      if (current === newest || performance.now() < retryNewestMs) return current;
      retryNewestMs = performance.now() + newestPauseMs;
      return newest;
    },
    next: (refused, which, tried) =>
      tried < sizes[which] ? { ...refused, [which]: (refused[which] + 1) % sizes[which] } : undefined,
    accept: (pair) => {
      const isNewest = pair.apiKey === 0 && pair.passPhrase === 0;
      if (current === newest && !isNewest) retryNewestMs = performance.now() + newestPauseMs;
      current = isNewest ? newest : pair;
    },
  };
};
