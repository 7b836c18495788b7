/** What stands in place of a secret. */
export const redacted = '***';

const secretHeaders = new Set(['authorization', 'cookie', 'set-cookie', 'proxy-authorization']);
const secretFields = new Set(['passphrase', 'apikey', 'secret', 'webhooksecret', 'key', 'ev', 'password']);

/** Also under a name that is written in another way, as by somebody whose request is refused for it. */
const isSecret = (name: string): boolean => secretFields.has(name.toLowerCase().replaceAll(/[-_]/g, ''));

/** Headers without what they prove. The scheme stays: it is what people get wrong. */
export const redactHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (!secretHeaders.has(name)) return [name, value];
      const scheme = /^(\S+) /.exec(value)?.[1];
      return [name, scheme === undefined ? redacted : `${scheme} ${redacted}`];
    }),
  );

const redactValue = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, isSecret(name) ? redacted : redactValue(part)]),
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
