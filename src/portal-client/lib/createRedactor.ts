import { createSecretMask, masked } from './createSecretMask.ts';
import { Secret } from './secret.ts';

const maxLength = 300;

// Long runs without a space are usually tokens, such as an encrypted key that a portal echoes.
const tokens = /[A-Za-z0-9+/=_%-]{32,}/g;
const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
// Credentials that drivers and HTTP clients quote: name and password before a host, and the text after a scheme.
const credentials =
  /(?<=\/\/)[^\s/]+(?=@)|(?<=\b(?:Bearer|Basic|Api-?Key)(?:\s+|["']?\s*[:=]\s*)["']?)[^\s,;"']{6,}/gi;
// `?.` is JavaScript, not a query: `value?.trim is not a function`.
const queries = /\?(?!\.[a-z_$[(])[^\s"'<>]+/gi;
const controls = /[\p{Cc}\u2028\u2029]+/gu;

/**
 * Creates a function that makes third-party text (a portal's error message, for example) safe to log: none of the given
 * secrets, as it is, in a URL or in Base64, no credentials, no URL query, no token, one line, at most 300 characters.
 *
 * @example
 * ```ts
 * import { createRedactor } from '@vitrine/portal-client';
 *
 * const redact = createRedactor([process.env.VITRINE_API_KEY ?? '']);
 * console.error(redact('The portal rejected https://portal.example/report?ev=…'));
 * ```
 */
export const createRedactor = (secrets: readonly (Secret | string)[]): ((text: string) => string) => {
  let mask: ((text: string) => string) | undefined;
  return (text) => {
    mask ??= createSecretMask(secrets.map((secret) => (secret instanceof Secret ? secret.reveal() : secret)));
    // Masked before it is cut, so that no part of a secret remains; cut well beyond the limit, so that the patterns stay fast.
    return mask(text)
      .slice(0, 4 * maxLength)
      .replace(credentials, masked)
      .replace(queries, `?${masked}`)
      .replace(tokens, (token) => (guid.test(token) ? token : masked))
      .replace(controls, ' ')
      .trim()
      .slice(0, maxLength);
  };
};
