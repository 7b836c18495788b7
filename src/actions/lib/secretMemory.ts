import { createRedactor, Secret } from '@vitrine/portal-client';
import { messageOf } from './messageOf.ts';

/** Keeps the secrets that messages must not quote. It grows: webhook secrets are rotated, and mounts bring their own. */
export const createSecretMemory = () => {
  const known = new Set<string>();
  const masks: ((text: string) => string)[] = [];
  let redact = createRedactor([]);
  return {
    /** Writes what the host's own code threw without the known secrets, credentials, tokens and URL queries, in at most 300 characters. */
    messageOf: (thrown: unknown): string => {
      try {
        return masks.reduce((shown, mask) => mask(shown), redact(messageOf(thrown)));
      } catch {
        // Anything can be thrown, and nothing of it may cost the deliveries that are settled beside this one.
        return 'a value that cannot be converted to a string';
      }
    },
    /** Takes one, several or none. Anything that is not a secret is passed over. */
    remember: (secrets: unknown): void => {
      for (const secret of [secrets].flat()) {
        const text: unknown = secret instanceof Secret ? secret.reveal().trim() : secret;
        if (typeof text !== 'string' || known.has(text)) continue;
        known.add(text);
        redact = createRedactor([...known]);
      }
    },
    /** Takes a function that masks secrets which are kept elsewhere. */
    maskWith: (mask: (text: string) => string): void => void masks.push(mask),
  };
};
