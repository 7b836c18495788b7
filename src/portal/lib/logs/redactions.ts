/** Replacement of a secret. */
export const redacted = '***';

const secretNames = new Set(['key', 'ev', 'cookie', 'setcookie']);
const secretEndings = /(?:authorization|apikey|passphrase|password|secret|token)$/;

/** Also misspelled names of secret fields, in requests that are rejected for them. */
const isSecret = (name: string): boolean => {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return secretNames.has(plain) || secretEndings.test(plain);
};

/**
 * Hides known secrets wherever they stand in a text, also in JSON and in a URL: the given ones, and those that the portal
 * makes, which begin alike.
 */
export const hideSecrets = (text: string, secrets: readonly (string | null | undefined)[]): string => {
  let hidden = text.replaceAll(/development-only-[\w.-]+/g, redacted);
  for (const secret of secrets.filter((one) => one !== null && one !== undefined))
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
      hidden = hidden.replaceAll(form, redacted);
  return hidden;
};

/** {@link hideSecrets} with the secrets of a portal. */
type Hide = (text: string) => string;

const redactHeader = (name: string, value: string): string => {
  // The referrer may be a report page, whose URL contains its key.
  if (name === 'referer') return value.replace(/[?#].*$/, '');
  if (!isSecret(name)) return value;
  // Keep the scheme: it is a common mistake.
  const scheme = /^(\S+) /.exec(value)?.[1];
  return scheme === undefined ? redacted : `${scheme} ${redacted}`;
};

/** Headers without credentials. */
export const redactHeaders = (
  headers: Readonly<Record<string, string>>,
  hide: Hide,
): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, hide(redactHeader(name, value))]));

const redactValue = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    // Whether a secret exists is not secret.
    Object.entries(value).map(([name, part]) => [
      name,
      isSecret(name) && typeof part !== 'boolean' ? redacted : redactValue(part),
    ]),
  );
};

/** Maximum length of a kept body, in characters. */
const maxKept = 8_192;

/** A JSON body without its secrets, or null if it cannot be parsed. */
export const redactBody = (body: string | Buffer, hide: Hide): string | null => {
  if (body.length === 0 || body.length > 262_144) return null;
  try {
    return hide(JSON.stringify(redactValue(JSON.parse(body.toString())))).slice(0, maxKept);
  } catch {
    return null;
  }
};

/** A query without keys; parameter names stay. */
export const redactQuery = (query: URLSearchParams): string =>
  [...query]
    .map(
      ([name, value]) =>
        `${encodeURIComponent(name)}=${isSecret(name) ? redacted : encodeURIComponent(value)}`,
    )
    .join('&');
