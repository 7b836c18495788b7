import { createSecretMask, masked } from '../maskSecrets.ts';
import type { Secret } from '../secret.ts';

const maxLength = 300;

// Long runs without a space are tokens more often than words: an encrypted key that a portal echoes, say.
const tokens = /[A-Za-z0-9+/=_%-]{32,}/g;
const queries = /\?[^\s"'<>]+/g;
const controls = /[\p{Cc}\u2028\u2029]+/gu;

/**
 * Makes a function that takes a foreign text (a portal's error message, say) to one that may be logged: no piece of
 * eight or more characters of the given secrets in any usual encoding, no URL query, no token, one line, at most 300 characters.
 */
export const createRedactor = (secrets: readonly Secret[]): ((text: string) => string) => {
  let mask: ((text: string) => string) | undefined;
  return (text) => {
    mask ??= createSecretMask(secrets.map((secret) => secret.reveal()));
    return mask(text.slice(0, 4 * maxLength))
      .replace(queries, `?${masked}`)
      .replace(tokens, masked)
      .replace(controls, ' ')
      .slice(0, maxLength);
  };
};
