import { createRedactor, Secret } from '@vitrine/portal-client';

/** The secrets that messages must not quote. It grows: webhook secrets are rotated, and mounts bring their own. */
export interface SecretMemory {
  readonly redact: (text: string) => string;
  /** Takes one, several or none. Anything that is no secret is passed over. */
  readonly remember: (secrets: unknown) => void;
  /** Takes a function that masks secrets which are kept elsewhere. */
  readonly maskWith: (redact: (text: string) => string) => void;
}

/** Creates a {@link SecretMemory} that knows none yet. */
export const createSecretMemory = (): SecretMemory => {
  const known = new Set<string>();
  const masks: ((text: string) => string)[] = [];
  let redact = createRedactor([]);
  return {
    redact: (text) => masks.reduce((shown, mask) => mask(shown), redact(text)),
    remember(secrets) {
      for (const secret of [secrets].flat()) {
        const text: unknown = secret instanceof Secret ? secret.reveal().trim() : secret;
        if (typeof text !== 'string' || known.has(text)) continue;
        known.add(text);
        redact = createRedactor([...known]);
      }
    },
    maskWith: (mask) => void masks.push(mask),
  };
};
