import { inspect } from 'node:util';
import { masked, maskSecrets, type Needle, needlesOf } from './secretMask.ts';

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

/**
 * Creates a function that masks the given texts inside another one, in any case and Unicode form: as they are, in JSON, in a URL and in
 * Base64. It changes nothing else, so it is also for long output.
 *
 * @example
 * ```ts
 * import { createSecretMask } from '@vitrine/portal-client';
 *
 * const mask = createSecretMask([process.env.VITRINE_API_KEY ?? '']);
 * console.log(mask('The portal received ApiKey …'));
 * ```
 */
export const createSecretMask = (secrets: readonly string[]): ((text: string) => string) => {
  const needles = [...new Set(secrets)].flatMap(needlesOf);
  return (text) => maskSecrets(text, needles);
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
// Also those that change the direction of the text around them.
const controls = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu;

/** A portal may send megabytes. */
const maxRead = 20_000;
/** Longer than any secret: what follows a cut may belong to one. */
const maxSplit = 4_000;

/** The text without what `mask` masks, credentials, URL queries and tokens, in one line. */
const cleanText = (text: string, mask: (text: string) => string): string => {
  const known = mask(text.slice(0, maxRead));
  return (
    (text.length > maxRead ? known.slice(0, -maxSplit) || masked : known)
      // Cut well beyond the limit, so that the patterns stay fast.
      .slice(0, 4 * maxLength)
      .replace(credentials, masked)
      .replace(queries, `?${masked}`)
      .replace(tokens, (token) => (identifier.test(token) || words.test(token) ? token : masked))
      .replace(controls, ' ')
      .trim()
      .slice(0, maxLength)
  );
};

/** The last keys that portals issued to this process, and what finds them, from when an error is shown. */
const issuedKeys = new Map<string, readonly Needle[]>();
const maxIssued = 200;
// A shorter text could be a word.
const shortestKey = 16;

/** Masks a key in later errors: only by its length, many keys look like identifiers. */
export const rememberKey = (key: string): void => {
  if (key.length < shortestKey || issuedKeys.has(key)) return;
  issuedKeys.set(key, []);
  const [oldest = ''] = issuedKeys.keys();
  if (issuedKeys.size > maxIssued) issuedKeys.delete(oldest);
};

const maskIssued = (text: string): string => {
  for (const [key, needles] of issuedKeys) if (!needles.length) issuedKeys.set(key, needlesOf(key));
  return maskSecrets(text, [...issuedKeys.values()].flat());
};

/** The secrets that this process has used for a tenant: after a rotation, its portal may still repeat the former ones. */
const usedFor = new Map<string, { texts: readonly string[] }>();
const maxUsed = 20;

/** A tenant and its secrets, such as a `PortalConnection`. */
interface TenantSecrets {
  readonly apiBaseUrl: string;
  readonly tenancyName: string;
  readonly apiKey: readonly Secret[];
  readonly passPhrase: readonly Secret[];
}

/** The secrets of a client, which grow when its API key changes. */
export const knownSecrets = (connection?: TenantSecrets) => {
  const own = connection
    ? [...connection.apiKey, ...connection.passPhrase].map((secret) => secret.reveal())
    : [];
  const tenant = connection && `${connection.tenancyName}@${connection.apiBaseUrl}`;
  const used = (tenant !== undefined && usedFor.get(tenant)) || { texts: [] };
  if (tenant !== undefined) usedFor.set(tenant, used);
  const add = (secret: string) => {
    if (!used.texts.includes(secret)) used.texts = [...used.texts, secret].slice(-maxUsed);
  };
  own.forEach(add);
  let texts: readonly string[] | undefined;
  let maskTexts = createSecretMask([]);
  /** Masks the secrets, and keys that were issued. */
  const mask = (text: string): string => {
    if (texts !== used.texts) {
      texts = used.texts;
      maskTexts = createSecretMask([...new Set([...own, ...texts])]);
    }
    return maskIssued(maskTexts(text));
  };
  return { add, mask, redact: (text: string): string => cleanText(text, mask) };
};

/**
 * Creates a function that makes third-party text (a portal's error message, for example) safe to log: none of the given
 * secrets, as it is, in JSON, in a URL or in Base64, no key that was issued to this process, no credentials, no URL query, no
 * token, one line, at most 300 characters. With a connection, its secrets and those that this process used for the same tenant before.
 *
 * @example
 * ```ts
 * import { createRedactor } from '@vitrine/portal-client';
 *
 * const redact = createRedactor([process.env.VITRINE_API_KEY ?? '']);
 * console.error(redact('The portal rejected https://portal.example/report?ev=…'));
 * ```
 */
export const createRedactor = (
  secrets: readonly (Secret | string)[] | TenantSecrets,
): ((text: string) => string) => {
  if ('tenancyName' in secrets) return knownSecrets(secrets).redact;
  let maskGiven: ((text: string) => string) | undefined;
  const mask = (text: string): string => {
    maskGiven ??= createSecretMask(
      secrets.map((secret) => (secret instanceof Secret ? secret.reveal() : secret)),
    );
    return maskIssued(maskGiven(text));
  };
  return (text) => cleanText(text, mask);
};
