import { buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { configError, optionError } from './errors.ts';

/** Options of connections. */
export interface UpstreamOptions {
  /** Maximum number of connections to each address; further requests wait for one. */
  readonly connections: number;
  /** The host's own dispatcher, which stays open. */
  readonly dispatcher: Dispatcher | undefined;
  readonly env: Environment;
}

const connectTimeoutMs = 2000;

/**
 * Opens the way to the portal: direct, or through the proxy of the environment. Certificates of the portal and of an
 * https proxy are verified whatever NODE_TLS_REJECT_UNAUTHORIZED says.
 */
export const createUpstream = (options: UpstreamOptions) => {
  const { connections, env } = options;
  if ('bun' in process.versions)
    throw configError(
      'unsupported_runtime',
      'This client does not run on Bun, which has no connection pool of undici. Use Node.js or Deno.',
    );
  if (options.dispatcher !== undefined) {
    if (typeof options.dispatcher?.dispatch !== 'function')
      throw optionError('dispatcher', 'it has no dispatch(). Pass an Agent, Pool or ProxyAgent from undici');
    if (process.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
      throw optionError(
        'dispatcher',
        'NODE_TLS_REJECT_UNAUTHORIZED=0 prevents it from verifying certificates. Remove that variable, and add your own authority to NODE_EXTRA_CA_CERTS',
      );
    return { dispatcher: options.dispatcher, proxyTo: () => undefined, ...closing(() => Promise.resolve()) };
  }
  const verified = { rejectUnauthorized: true, timeout: connectTimeoutMs, allowH2: false };
  const proxy = readProxy(env);
  /** Origins that undici connected to without the proxy: it decides by itself, and cannot be asked. */
  const direct = new Set<string>();
  const connect = buildConnector(verified);
  const dispatcher = new EnvHttpProxyAgent({
    connections,
    allowH2: false,
    connect: (target, callback) => {
      direct.add(`${target.protocol}//${target.host}`);
      connect(target, callback);
    },
    // `http:` addresses are loopback hosts, and their requests contain secrets in plain text. An empty string prevents
    // undici from reading the process environment.
    httpProxy: '',
    httpsProxy: proxy ?? '',
    noProxy: read(env, 'NO_PROXY') ?? '',
    requestTls: verified,
    proxyTls: verified,
    // The connect timeout includes the tunnel; undici itself would wait for five minutes.
    clientFactory: (origin, pool) => new Pool(origin, { ...pool, headersTimeout: connectTimeoutMs }),
  });
  return {
    dispatcher,
    /** Origin of the proxy on the way to an address that was called, without credentials. */
    proxyTo: (address: string) =>
      proxy === undefined || direct.has(new URL(address).origin) ? undefined : originOf(proxy),
    ...closing(() => dispatcher.close()),
  };
};

/** Closes once: undici rejects a second close(). */
const closing = (close: () => Promise<void>) => {
  let closed: Promise<void> | undefined;
  return { isClosed: () => closed !== undefined, close: () => (closed ??= close()) };
};

const originOf = (url: string): string => {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
};

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const read = (env: Environment, name: string): string | undefined =>
  (env[name.toLowerCase()] || env[name])?.trim() || undefined;

/** The URL of the proxy for https addresses: HTTPS_PROXY, or HTTP_PROXY. Its errors do not repeat the value. */
const readProxy = (env: Environment): string | undefined => {
  const name = ['HTTPS_PROXY', 'HTTP_PROXY'].find((one) => read(env, one) !== undefined) ?? '';
  const text = read(env, name);
  if (text === undefined) return undefined;
  const url = text.includes('://') ? text : `http://${text}`;
  try {
    const { protocol, pathname, username, password } = new URL(url);
    // undici decodes user name and password. The bundler would drop a call whose value nobody uses.
    const isDecoded = decodeURIComponent(`${username}:${password}`).includes(':');
    if (isDecoded && /^https?:$/.test(protocol) && /^\/?$/.test(pathname)) return url;
  } catch {
    // It is rejected below.
  }
  throw configError(
    'invalid_proxy',
    `The environment variable ${name} is not the URL of an HTTP proxy. Set it to one such as http://user:password@proxy.example:3128, with "%" in a user name or password as %25, or unset it. SOCKS is not supported.`,
  );
};

const tunnel = /^Proxy (?:response|Authentication Required) \((\d{3})\)/;

/** The code of the innermost failure: Node hides `ECONNREFUSED` behind an AggregateError for hosts with two addresses. */
export const codeOf = (thrown: unknown): string => {
  let code = 'UNKNOWN';
  let current = thrown;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    // undici only gives the status of a proxy that refuses the tunnel in its message.
    const status = tunnel.exec(current.message)?.[1];
    if (status !== undefined) return `PROXY_${status}`;
    // undici's parser does not give every error a code.
    if (current.name === 'HTTPParserError') code = 'HPE_INVALID';
    if ('code' in current && typeof current.code === 'string') code = current.code;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return /^[A-Z0-9_/]{1,60}$/.test(code) ? code : 'UNKNOWN';
};
