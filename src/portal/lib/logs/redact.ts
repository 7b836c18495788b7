/** What stands in place of a secret. */
export const redacted = '***';

const secretNames = new Set(['key', 'ev', 'cookie', 'setcookie']);
const secretEndings = /(?:authorization|apikey|passphrase|password|secret|token)$/;

/** Also under a name that is written in another way, as by somebody whose request is refused for it. */
const isSecret = (name: string): boolean => {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return secretNames.has(plain) || secretEndings.test(plain);
};

const redactHeader = (name: string, value: string): string => {
  // The page before may be a report's, whose address holds its key.
  if (name === 'referer') return value.replace(/[?#].*$/, '');
  if (!isSecret(name)) return value;
  // The scheme stays: it is what people get wrong.
  const scheme = /^(\S+) /.exec(value)?.[1];
  return scheme === undefined ? redacted : `${scheme} ${redacted}`;
};

/** Headers without what they prove. */
export const redactHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redactHeader(name, value)]));

const redactValue = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    // Whether there is a secret is none.
    Object.entries(value).map(([name, part]) => [
      name,
      isSecret(name) && typeof part !== 'boolean' ? redacted : redactValue(part),
    ]),
  );
};

/** Longest body kept, in characters. */
const maxKept = 8_192;

/** A JSON body without its secrets, or null for anything that cannot be looked through. */
export const redactBody = (body: string | Buffer): string | null => {
  if (body.length === 0 || body.length > 262_144) return null;
  try {
    return JSON.stringify(redactValue(JSON.parse(body.toString()))).slice(0, maxKept);
  } catch {
    return null;
  }
};

/** A query without keys: the names stay. */
export const redactQuery = (query: URLSearchParams): string =>
  [...query]
    .map(
      ([name, value]) =>
        `${encodeURIComponent(name)}=${isSecret(name) ? redacted : encodeURIComponent(value)}`,
    )
    .join('&');
