import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import tls from 'node:tls';
import { buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { optionError } from '../errors/checkOptions.ts';
import { type Environment, proxyFor, proxyVariables } from './proxyFor.ts';
import { codeOf } from './transportError.ts';

/** A certificate or key as the text of a PEM file. */
export type Pem = string | Buffer;

/** Whom to trust, and how to identify to the portal. Verification itself cannot be switched off. */
export interface TlsOptions {
  /** Certificates of authorities to trust beside those that Node trusts (`NODE_EXTRA_CA_CERTS` among them). Default none. */
  readonly ca?: Pem | readonly Pem[] | undefined;
  /** Client certificate with its chain, for a portal that asks for one (mutual TLS). Needs `key`. */
  readonly cert?: Pem | undefined;
  /** Private key of `cert`. A secret. */
  readonly key?: Pem | undefined;
}

/** How connections are made. */
export interface DispatcherOptions {
  readonly connections: number;
  readonly connectTimeoutMs: number;
  /** The host's own, which is left open. */
  readonly dispatcher: Dispatcher | undefined;
  readonly tls: TlsOptions | undefined;
  readonly env: Environment;
}

/** What requests go through. */
export interface Upstream {
  readonly dispatcher: Dispatcher;
  /** Origin of the proxy on the way, without credentials. */
  readonly proxy: string | undefined;
  readonly close: () => Promise<void>;
}

const certificateBlock = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

const isCertificate = (pem: string): boolean => {
  try {
    return new X509Certificate(pem).subject !== '';
  } catch {
    return false;
  }
};

/** Checks certificates once, so that a wrong one is an error at the start and not at the first request. */
const parseTls = (given: TlsOptions) => {
  const { ca, cert, key, ...others } = given;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw optionError(
      'tls',
      `it has no "${unknown.slice(0, 40)}". Its options are ca, cert and key; certificates are always verified`,
    );
  if ((cert === undefined) !== (key === undefined))
    throw optionError('tls', 'cert and key belong together. Pass both or neither');
  for (const [name, value] of Object.entries({ ca, cert, key }))
    if (value !== undefined && ![value].flat().every((one) => String(one).includes('-----BEGIN ')))
      throw optionError(
        'tls',
        `${name} is not PEM. Pass the text of the file, not its name: ${name}: readFileSync("${name}.pem", "utf8")`,
      );
  for (const block of [ca ?? []].flat().flatMap((one) => String(one).match(certificateBlock) ?? ['']))
    if (!isCertificate(block))
      throw optionError('tls', 'ca contains something that is not a certificate. Copy the PEM file again');
  const parsed = {
    ...(ca !== undefined && { ca: [...tls.getCACertificates('default'), ...[ca].flat()] }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  };
  try {
    tls.createSecureContext(parsed);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw optionError(
      'tls',
      `OpenSSL rejects it${code}. Check that key is the unencrypted private key of cert`,
    );
  }
  return parsed;
};

/** Connects to a proxy. A failure there has the prefix `PROXY_`, so that nobody looks for its cause at the portal. */
const connectToProxy = (options: buildConnector.BuildOptions): buildConnector.connector => {
  const connect = buildConnector(options);
  return ({ servername = '', ...target }, callback) =>
    // undici names every https proxy to TLS, and TLS has no name for an address.
    connect({ ...target, ...(isIP(servername) === 0 && { servername }) }, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(Object.assign(new Error('No connection.'), { code: `PROXY_${codeOf(error)}` }), null);
    });
};

/**
 * Opens the way to one address: directly, or through the proxy that the environment names. Certificates are verified
 * whatever NODE_TLS_REJECT_UNAUTHORIZED says, those of the portal and of an https proxy alike.
 */
export const createDispatcher = (address: string, options: DispatcherOptions): Upstream => {
  const { connections, connectTimeoutMs, env } = options;
  if (options.dispatcher !== undefined) {
    if (options.tls !== undefined)
      throw optionError('tls', 'dispatcher is set too and has its own. Pass only one of the two');
    if (typeof options.dispatcher.dispatch !== 'function')
      throw optionError('dispatcher', 'it has no dispatch(). Pass an Agent, Pool or ProxyAgent from undici');
    if (address.startsWith('https:') && process.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
      throw optionError(
        'dispatcher',
        'NODE_TLS_REJECT_UNAUTHORIZED=0 prevents it from verifying certificates. Remove that variable, and add your own authority to NODE_EXTRA_CA_CERTS',
      );
    return { dispatcher: options.dispatcher, proxy: undefined, close: () => Promise.resolve() };
  }
  const certificates = parseTls(options.tls ?? {});
  const requestTls = { ...certificates, rejectUnauthorized: true, timeout: connectTimeoutMs };
  const common = {
    connections,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: 16_384,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: requestTls,
  };
  const proxy = proxyFor(address, env);
  const { http, https, none } = proxyVariables(env);
  const proxyTls = {
    ...(certificates.ca && { ca: certificates.ca }),
    rejectUnauthorized: true,
    timeout: connectTimeoutMs,
  };
  const dispatcher =
    proxy === undefined
      ? new Pool(new URL(address).origin, common)
      : new EnvHttpProxyAgent({
          ...common,
          // An empty text keeps undici from reading the environment of the process itself.
          httpProxy: http ?? '',
          httpsProxy: https ?? '',
          noProxy: none,
          requestTls,
          proxyTls,
          // Waiting for the tunnel is a part of connecting; undici alone would wait for five minutes.
          clientFactory: (origin) =>
            new Pool(origin, { connect: connectToProxy(proxyTls), headersTimeout: connectTimeoutMs }),
        });
  let closed: Promise<void> | undefined;
  return {
    dispatcher,
    proxy,
    close: () => {
      // A second close() of undici's rejects.
      closed ??= dispatcher.close();
      return closed;
    },
  };
};
