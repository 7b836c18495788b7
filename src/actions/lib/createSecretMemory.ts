import { createRedactor, Secret } from '@vitrine/portal-client';
import { messageOf } from './messageOf.ts';

/** Collects the secrets that messages must not quote. It grows: webhook secrets are rotated, and mounts add theirs. */
export const createSecretMemory = () => {
  const known = new Set<string>();
  const masks: ((text: string) => string)[] = [];
  let redact = createRedactor([]);
  return {
    /**
     * Formats an error of the host's code without known secrets, credentials, tokens and URL queries, in at most 300
     * characters.
     */
    messageOf: (thrown: unknown): string => {
      try {
        return masks.reduce((shown, mask) => mask(shown), redact(messageOf(thrown)));
      } catch {
        // Any value can be thrown; formatting it must not fail the other deliveries of the batch.
        return 'a value that cannot be converted to a string';
      }
    },
    /** Adds one, several or no secrets. Ignores other values. */
    remember: (secrets: unknown): void => {
      for (const secret of [secrets].flat()) {
        const text: unknown = secret instanceof Secret ? secret.reveal().trim() : secret;
        if (typeof text !== 'string' || known.has(text)) continue;
        known.add(text);
        redact = createRedactor([...known]);
      }
    },
    /** Adds a function that masks secrets stored elsewhere. */
    maskWith: (mask: (text: string) => string): void => void masks.push(mask),
  };
};
