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

const entities: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' };

/** Pattern of a character: as it is, and escaped once or more in JSON, in a URL or a form, byte by byte, and in HTML. */
const formsOf = (character: string): string => {
  const json = JSON.stringify(character).slice(1, -1);
  const unicode = character.replaceAll(
    /[^]/g,
    (unit) => `\\\\{1,8}u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const url = Buffer.from(character).toString('hex').replaceAll(/../g, '%(?:25)*$&');
  const code = character.codePointAt(0) ?? 0;
  const html = `&(?:amp;)*(?:#0*${code}|#x0*${code.toString(16)}|${entities[character] ?? '#'});`;
  const forms = [escaped(character), unicode, url, html];
  if (json !== character) forms.push(`\\\\{1,8}${escaped(json.slice(1))}`);
  // A message may be folded.
  if (character === ' ') forms.push('\\s+', '\\+');
  if (character === '/') forms.push('\\\\{1,8}/');
  return `(?:${forms.join('|')})`;
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
  const patterns = [...new Set(secrets.flatMap(normalFormsOf))]
    .filter((secret) => secret !== '')
    // A secret may begin with another one.
    .toSorted((one, other) => other.length - one.length)
    .flatMap(patternsOf);
  if (patterns.length === 0) return (text) => text;
  const pattern = new RegExp(`(?:${patterns.join('|')})+`, 'gi');
  return (text) => text.replaceAll(pattern, masked);
};

/** A text as it is, and as another machine may send it back: with its accents composed or apart. */
const normalFormsOf = (text: string): readonly string[] => [
  text,
  ...['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => text.normalize(form)),
];

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

/** Masked before it is cut to its length, so that no part of a secret remains; a portal may send megabytes. */
const maxRead = 20_000;

/** The text without what `mask` masks, credentials, URL queries and tokens, in one line. */
const cleanText = (text: string, mask: (text: string) => string): string =>
  // Cut well beyond the limit, so that the patterns stay fast.
  mask(text.slice(0, maxRead))
    .slice(0, 4 * maxLength)
    .replace(credentials, masked)
    .replace(queries, `?${masked}`)
    .replace(tokens, (token) => (identifier.test(token) || words.test(token) ? token : masked))
    .replace(controls, ' ')
    .trim()
    .slice(0, maxLength);

/** The last keys that portals issued to this process. */
const issuedKeys = new Set<string>();
const maxIssued = 1000;
// A shorter text could be a word.
const shortestKey = 16;

/** Masks a key in later errors: only by its length, many keys look like identifiers. */
export const rememberKey = (key: string): void => {
  if (key.length < shortestKey) return;
  issuedKeys.add(key);
  const [oldest = ''] = issuedKeys;
  if (issuedKeys.size > maxIssued) issuedKeys.delete(oldest);
};

/** The characters that are escaped in JSON, as they are. */
const withoutEscapes = (text: string): string =>
  text.replaceAll(/\\{1,8}(?:u([\da-f]{4})|\/)/gi, (_, code: string | undefined) =>
    code === undefined ? '/' : String.fromCharCode(Number.parseInt(code, 16)),
  );

const maskIssued = (text: string): string => {
  if (!/\S{16}/.test(text)) return text;
  const keys = [...issuedKeys];
  const forms = text.includes('%') ? [...keys, ...keys.map(encodeURIComponent)] : keys;
  const mask = (shown: string) => forms.reduce((rest, form) => rest.replaceAll(form, masked), shown);
  const plain = withoutEscapes(text);
  return plain === text || mask(plain) === plain ? mask(text) : mask(plain);
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
