import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import tls from 'node:tls';
import { checkOptions } from '@vitrine/contract/service';
import { buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { configError, optionError, settingError } from './errors.ts';

/** A certificate or key as the text of a PEM file. */
export type Pem = string | Buffer;

/** Trusted authorities, and a client certificate. Verification cannot be turned off. */
export interface TlsOptions {
  /**
   * Certificates of authorities to trust in addition to those of Node (including `NODE_EXTRA_CA_CERTS`). Default none.
   */
  readonly ca?: Pem | readonly Pem[] | undefined;
  /** Client certificate with its chain, for a portal that requires one (mutual TLS). Needs `key`. */
  readonly cert?: Pem | undefined;
  /** Private key of `cert`. A secret. */
  readonly key?: Pem | undefined;
}

/** Options of connections. */
export interface UpstreamOptions {
  /** Maximum number of connections to each address; further requests wait for one. */
  readonly connections: number;
  /** The host's own dispatcher, which stays open. */
  readonly dispatcher: Dispatcher | undefined;
  readonly tls: TlsOptions | undefined;
  readonly env: Environment;
}

const connectTimeoutMs = 2000;

/** Checks certificates at construction, so that an invalid one fails there and not in the first request. */
const parseTls = (given: TlsOptions) => {
  // No `rejectUnauthorized`: certificates are always verified.
  const failure = checkOptions('Option "tls"', given, { ca: true, cert: true, key: true });
  if (failure !== undefined) throw settingError(failure, 'bad_option_tls');
  const { ca, cert, key } = given;
  if ((cert === undefined) !== (key === undefined))
    throw optionError('tls', 'cert and key belong together. Pass both or neither');
  const authorities = [ca ?? []].flat();
  const parsed = {
    ...(ca !== undefined && { ca: [...tls.getCACertificates('default'), ...authorities] }),
    ...(cert !== undefined && { cert, key }),
  };
  try {
    tls.createSecureContext(parsed);
    // OpenSSL passes over an authority that it cannot read.
    for (const pem of authorities) new X509Certificate(String(pem)).toString();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw optionError(
      'tls',
      `OpenSSL rejects it${code}. Pass the text of PEM files, not their names, and as key the unencrypted private key of cert`,
    );
  }
  return parsed;
};

/** Connects to a proxy. The codes of its errors have the prefix `PROXY_`, to distinguish them from the portal's. */
const connectToProxy = (options: buildConnector.BuildOptions): buildConnector.connector => {
  const connect = buildConnector(options);
  return ({ servername = '', ...target }, callback) =>
    // undici always passes the proxy's host as the TLS server name, which must not be an IP address.
    connect({ ...target, ...(isIP(servername) === 0 && { servername }) }, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(Object.assign(new Error('No connection.'), { code: `PROXY_${codeOf(error)}` }), null);
    });
};

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
    if (options.tls !== undefined)
      throw optionError('tls', 'dispatcher is set too and has its own. Pass only one of the two');
    if (typeof options.dispatcher?.dispatch !== 'function')
      throw optionError('dispatcher', 'it has no dispatch(). Pass an Agent, Pool or ProxyAgent from undici');
    if (process.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
      throw optionError(
        'dispatcher',
        'NODE_TLS_REJECT_UNAUTHORIZED=0 prevents it from verifying certificates. Remove that variable, and add your own authority to NODE_EXTRA_CA_CERTS',
      );
    return { dispatcher: options.dispatcher, proxyTo: () => undefined, ...closing(() => Promise.resolve()) };
  }
  const certificates = parseTls(options.tls ?? {});
  const requestTls = {
    ...certificates,
    rejectUnauthorized: true,
    timeout: connectTimeoutMs,
    allowH2: false,
  };
  const proxyTls = {
    ...(certificates.ca && { ca: certificates.ca }),
    rejectUnauthorized: true,
    timeout: connectTimeoutMs,
  };
  const proxy = readProxy(env);
  /** Origins that undici connected to without the proxy: it decides by itself, and cannot be asked. */
  const direct = new Set<string>();
  const connect = buildConnector(requestTls);
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
    requestTls,
    proxyTls,
    // The connect timeout includes the tunnel; undici itself would wait for five minutes.
    clientFactory: (origin) =>
      new Pool(origin, { connect: connectToProxy(proxyTls), headersTimeout: connectTimeoutMs }),
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
    // undici fails on "100 Continue"; only its message distinguishes it from a closed connection.
    if (current.name === 'SocketError' && current.message === 'bad response') return 'UNASKED_CONTINUE';
    // undici's parser does not give every error a code.
    if (current.name === 'HTTPParserError') code = 'HPE_INVALID';
    if ('code' in current && typeof current.code === 'string') code = current.code;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return /^[A-Z0-9_/]{1,60}$/.test(code) ? code : 'UNKNOWN';
};
