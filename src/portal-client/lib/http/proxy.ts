import { configError } from '../errors/checkOptions.ts';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const read = (env: Environment, name: string): string | undefined =>
  (env[name.toLowerCase()] || env[name])?.trim() || undefined;

/** Whether a text can be percent-decoded: undici decodes user name and password of a proxy. */
const isEncoded = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

/** The URL of the proxy for https addresses: HTTPS_PROXY, or HTTP_PROXY. Its errors do not repeat the value. */
export const readProxy = (env: Environment): string | undefined => {
  const name = ['HTTPS_PROXY', 'HTTP_PROXY'].find((one) => read(env, one) !== undefined) ?? '';
  const text = read(env, name);
  if (text === undefined) return undefined;
  const url = text.includes('://') ? text : `http://${text}`;
  const { protocol = '', pathname = '', username, password } = URL.parse(url) ?? {};
  if (protocol.startsWith('socks'))
    throw configError(
      'invalid_proxy',
      `The environment variable ${name} names a SOCKS proxy, which is not supported. Name an HTTP proxy such as http://proxy.example:3128, or unset it.`,
    );
  if (!/^https?:$/.test(protocol) || !/^\/?$/.test(pathname))
    throw configError(
      'invalid_proxy',
      `The environment variable ${name} is not a proxy URL. Set it to a URL such as http://proxy.example:3128, or unset it.`,
    );
  if (!isEncoded(`${username}:${password}`))
    throw configError(
      'invalid_proxy',
      `The user name or password in the environment variable ${name} has a "%" that is not percent-encoded. Write it as %25.`,
    );
  return url;
};

/** Names and addresses that need no proxy. */
export const readNoProxy = (env: Environment): string => read(env, 'NO_PROXY') ?? '';

const plainName = (host: string): string =>
  host
    .replace(/^\[(.+)\]$/, '$1')
    .replace(/(.)\.$/, '$1')
    .toLowerCase();

/**
 * Whether undici calls an address without the proxy: `http:`, or in NO_PROXY (names, `.name`, `*.name` and addresses,
 * each with or without a port; no address ranges). undici decides by itself and cannot be asked; this is for what is
 * shown before a request is sent.
 */
export const isDirect = ({ protocol, hostname, port }: URL, noProxy: string): boolean => {
  const host = plainName(hostname);
  const isExcepted = noProxy.split(/[\s,]+/).some((entry) => {
    const [, name = entry, only] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
    if (only !== undefined && only !== (port || '443')) return false;
    const plain = plainName(name.replace(/^\*?\./, ''));
    const isSame = host === plain && !entry.startsWith('*');
    return plain === '*' || (plain !== '' && (isSame || host.endsWith(`.${plain}`)));
  });
  return protocol === 'http:' || isExcepted;
};
