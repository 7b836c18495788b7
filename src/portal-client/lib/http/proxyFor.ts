import { configError } from '../errors/checkOptions.ts';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const protocols = new Set(['http:', 'https:']);

const first = (env: Environment, name: string): string | undefined =>
  env[name.toLowerCase()] || env[name] || undefined;

/** Whether a text can be percent-decoded: undici decodes user name and password of a proxy. */
const isEncoded = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

const readProxy = (env: Environment, name: string): string | undefined => {
  const text = first(env, name)?.trim();
  if (text === undefined || text === '') return undefined;
  const url = text.includes('://') ? text : `http://${text}`;
  const { protocol, pathname, username, password } = URL.parse(url) ?? {};
  if (protocol !== undefined && protocols.has(protocol) && (pathname === '' || pathname === '/')) {
    if (isEncoded(`${username}:${password}`)) return url;
    throw configError(
      'invalid_proxy',
      `The user name or password in the environment variable ${name} has a "%" that is not percent-encoded. Write it as %25.`,
    );
  }
  if (protocol?.startsWith('socks') === true)
    throw configError(
      'invalid_proxy',
      `The environment variable ${name} names a SOCKS proxy, which is not supported. Name an HTTP proxy such as http://proxy.example:3128, or unset it.`,
    );
  throw configError(
    'invalid_proxy',
    `The environment variable ${name} is not a proxy URL. Set it to a URL such as http://proxy.example:3128, or unset it.`,
  );
};

/** The proxy variables of a scheme, in undici's order. */
export const proxyVariables = (
  env: Environment,
): { readonly http: string | undefined; readonly https: string | undefined; readonly none: string } => {
  const http = readProxy(env, 'HTTP_PROXY');
  return { http, https: readProxy(env, 'HTTPS_PROXY') ?? http, none: first(env, 'NO_PROXY') ?? '' };
};

const plainName = (host: string): string =>
  host
    .replace(/^\[(.+)\]$/, '$1')
    .replace(/(.)\.$/, '$1')
    .toLowerCase();

/**
 * Reads NO_PROXY like undici: names, `.name`, `*.name` and addresses, each with or without a port; no address ranges.
 */
const isExcepted = (url: URL, none: string): boolean => {
  const hostname = plainName(url.hostname);
  return none.split(/[\s,]+/).some((entry) => {
    const [, host = entry, port] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
    if (port !== undefined && port !== (url.port || '443')) return false;
    const name = plainName(host.replace(/^\*?\./, ''));
    const isSame = hostname === name && !entry.startsWith('*');
    return name === '*' || (name !== '' && (isSame || hostname.endsWith(`.${name}`)));
  });
};

/**
 * Origin of the proxy for a URL according to HTTPS_PROXY, HTTP_PROXY and NO_PROXY, without credentials; undefined for a
 * direct connection. `http:` URLs are loopback hosts, and their requests contain secrets in plain text, so they never
 * use a proxy.
 */
export const proxyFor = (address: string, env: Environment): string | undefined => {
  const { https, none } = proxyVariables(env);
  const url = new URL(address);
  if (https === undefined || url.protocol === 'http:' || isExcepted(url, none)) return undefined;
  const { protocol, host } = new URL(https);
  return `${protocol}//${host}`;
};
