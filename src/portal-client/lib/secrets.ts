import { inspect } from 'node:util';

/** Replacement of a secret. */
const masked = '***';

/**
 * A secret text that prints as `***` in strings, JSON and `util.inspect`.
 * Only {@link Secret.reveal} returns the text; only code that sends it calls this.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The secret text. Call it at the last moment and do not store the result. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return masked;
  }

  toJSON(): string {
    return masked;
  }

  [inspect.custom](): string {
    return masked;
  }
}

/** Characters that mean something in a regular expression. */
const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Pattern of a character: as it is, in JSON, escaped as in Unicode, and in a URL or a form, byte by byte. */
const formsOf = (character: string): string => {
  const json = JSON.stringify(character).slice(1, -1);
  const unicode = character.replaceAll(
    /[^]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const url = Buffer.from(character).toString('hex').replaceAll(/../g, '%$&');
  const others = new Map([
    [' ', '+'],
    ['/', '\\/'],
  ]).get(character);
  const forms = new Set([character, json, unicode, url, others ?? character]);
  return `(?:${[...forms].map(escaped).join('|')})`;
};

/**
 * Patterns of a secret in other text: each character in any of its forms, and all of it in Base64. Base64 of the same bytes depends on
 * their place in a group of three, and the groups at both ends also hold other bytes: they are masked too.
 */
const patternsOf = (secret: string): readonly string[] => {
  const base64 = [0, 1, 2]
    .map((offset) =>
      Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
        .toString('base64')
        .slice(offset === 0 ? 0 : 4)
        .replace(/.{0,3}=+$/, ''),
    )
    .filter((form) => form !== '')
    .map((form) => escaped(form).replaceAll('\\+', '[+-]').replaceAll('\\/', '[/_]'));
  return [
    Array.from(secret, formsOf).join(''),
    ...base64.map((form) => `[\\w+/-]{0,4}${form}[\\w+/-]*={0,2}`),
  ];
};

/** Creates a function that masks the given texts inside another one, in any case. */
export const createSecretMask = (secrets: readonly string[]): ((text: string) => string) => {
  const patterns = secrets
    .filter((secret) => secret !== '')
    // A secret may begin with another one.
    .toSorted((one, other) => other.length - one.length)
    .flatMap(patternsOf);
  if (patterns.length === 0) return (text) => text;
  const pattern = new RegExp(`(?:${patterns.join('|')})+`, 'gi');
  return (text) => text.replaceAll(pattern, masked);
};

const maxLength = 300;

// Long runs without a space are usually tokens, such as an encrypted key that a portal echoes.
const tokens = /[A-Za-z0-9+/=_%-]{32,}/g;
// A GUID, also without dashes, and a `traceparent`: operators search for them.
const identifier =
  /^(?:[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}|[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2})$/i;
const words = /^[A-Za-z][a-z]+(?:[-_/]?[A-Z][a-z]+|[-_/][a-z]+)*$/;
// Credentials that drivers and HTTP clients quote: name and password before a host, and the text after a scheme.
const credentials =
  /(?<=\/\/)[^\s/]+(?=@)|(?<=\b(?:Bearer|Basic|Api-?Key)(?:\s+|["']?\s*[:=]\s*)["']?)[^\s,;"']{6,}/gi;
// `?.` is JavaScript, not a query: `value?.trim is not a function`.
const queries = /\?(?!\.[a-z_$[(])[^\s"'<>]+/gi;
const controls = /[\p{Cc}\u2028\u2029]+/gu;

/**
 * Creates a function that makes third-party text (a portal's error message, for example) safe to log: none of the given
 * secrets, as it is, in JSON, in a URL or in Base64, no credentials, no URL query, no token, one line, at most 300 characters.
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
      .replace(tokens, (token) => (identifier.test(token) || words.test(token) ? token : masked))
      .replace(controls, ' ')
      .trim()
      .slice(0, maxLength);
  };
};
