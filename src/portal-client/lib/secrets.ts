import { inspect } from 'node:util';

/** What is shown instead of a secret. */
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

/** A secret, and how it is found. */
interface KnownSecret {
  /** Replaced where they stand. */
  readonly forms: readonly string[];
  /** Letters and digits that are left of it in any other form. A text that has them is not shown at all. */
  readonly traces: readonly string[];
}

/** Fewer letters and digits could be a part of other words. */
const shortestTrace = 8;

/** The text of a URL, of JSON or of HTML; other characters than letters and digits do not matter. */
const unescape = (text: string): string =>
  text
    .replaceAll(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString())
    .replaceAll(/(?:\\u|&#x)([\da-f]{2,4})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .replaceAll(/&#(\d{1,5})/g, (_, digits: string) => String.fromCharCode(Number(digits)))
    .replaceAll('&amp;', '&')
    .replaceAll(/&[a-z]+;/gi, ' ');

/** The letters and digits of a text, as it is and with one layer of escapes less each time. */
const bareReadings = (text: string): readonly string[] => {
  const readings = [text];
  for (let next = unescape(text); next !== readings.at(-1) && readings.length < 8; next = unescape(next))
    readings.push(next);
  return readings.map((reading) => reading.normalize('NFKC').replaceAll(/[^\p{L}\p{N}]/gu, ''));
};

/** In Base64, the groups that hold only bytes of a text: those at both ends also hold others. */
const base64Of = (text: string): readonly string[] =>
  [0, 1, 2].map((offset) =>
    Buffer.from('\0'.repeat(offset) + text)
      .toString('base64')
      .slice(offset && 4)
      .replace(/..==$|...=$/, ''),
  );

const knowSecret = (secret: string): KnownSecret => ({
  forms: [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())],
  traces: [secret, ...base64Of(secret)]
    .flatMap(bareReadings)
    .filter((trace) => trace.length >= shortestTrace),
});

const maskSecrets = (text: string, secrets: readonly KnownSecret[]): string => {
  const shown = secrets
    .flatMap(({ forms }) => forms)
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, form) => rest.replaceAll(form, masked), text);
  const readings = bareReadings(shown);
  const isLeft = secrets.some(({ traces }) =>
    traces.some((trace) => readings.some((reading) => reading.includes(trace))),
  );
  return isLeft ? masked : shown;
};

/**
 * Creates a function that masks the given texts inside another one: as they are, in JSON and in a URL. A text that has one
 * in another form, such as Base64, becomes `***` as a whole. It changes nothing else, so it is also for long output.
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
  const known = knowSecrets(secrets);
  return (text) => maskSecrets(text, known);
};

/** Ignores other values than texts, which a check refuses elsewhere. */
const knowSecrets = (secrets: readonly unknown[]): readonly KnownSecret[] =>
  secrets
    .filter((secret) => typeof secret === 'string')
    .filter(Boolean)
    .map(knowSecret);

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

/** The last secrets that were added. A shorter text could be a word. */
const createMemory = (size: number, shortest: number) => {
  const known = new Map<string, KnownSecret>();
  return {
    known,
    /** Adds a secret. Ignores other values, which a check refuses elsewhere. */
    add: (secret: unknown): void => {
      if (typeof secret !== 'string' || secret.length < shortest || known.has(secret)) return;
      known.set(secret, knowSecret(secret));
      const [oldest = ''] = known.keys();
      if (known.size > size) known.delete(oldest);
    },
  };
};

const issuedKeys = createMemory(200, 16);
const usedSecrets = createMemory(1000, 8);

/** Masks a key in later errors: only by its length, many keys look like identifiers. */
export const rememberKey = issuedKeys.add;

/**
 * Masks a secret of at least eight characters in every later error of this process, like those of connections: another
 * service may repeat it, and a portal still repeats one that was replaced.
 */
export const rememberSecret = (secret: string): void => usedSecrets.add(secret);

/** Masks the secrets and keys that this process has used, which a caller may have passed as something else. */
export const maskKnown = (text: string): string =>
  maskSecrets(text, [...usedSecrets.known.values(), ...issuedKeys.known.values()]);

/**
 * Creates a function that makes third-party text (a portal's error message, for example) safe to log: none of the given
 * secrets, no secret or key that this process has used, as it is or escaped, no credentials, no URL query, no token, one
 * line, at most 300 characters.
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
  const texts = secrets.map((secret) => (secret instanceof Secret ? secret.reveal() : secret));
  const own = knowSecrets(texts);
  return (text) => cleanText(text, (part) => maskKnown(maskSecrets(part, own)));
};
