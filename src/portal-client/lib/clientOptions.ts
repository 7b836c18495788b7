import type { OptionRules } from '@vitrine/contract/service';
import type { Dispatcher } from 'undici';
import {
  checkSecret,
  type PortalConnectionInput,
  parseAddress,
  parsePortalConnection,
} from './connection.ts';
import { checkOptions, configError, longestTimerMs, optionError } from './errors.ts';
import type { Adapt } from './responses.ts';
import type { Secret } from './secrets.ts';
import { createUpstream } from './upstream.ts';

/** The Tenant API Key, or a function that fetches it; called before every request, so that a rotated key takes effect. */
export type ApiKey = string | Secret | ((signal: AbortSignal) => string | Secret | Promise<string | Secret>);

/** Options of `createPortalClient`. */
export interface PortalClientOptions {
  /**
   * `{base_url}` of the interface (section 4): https, or http on a loopback host. A path is kept. Default: `baseUrl` or
   * `apiBaseUrl` of `embedding`.
   */
  readonly baseUrl?: string | undefined;
  /** Tenant API Key, sent as a Bearer token (section 5). Default: the newest of `embedding`. */
  readonly apiKey?: ApiKey | undefined;
  /** Connection for `embeddedKeys` (sections 4.6 and 5); omit it if you do not create keys. */
  readonly embedding?: PortalConnectionInput | undefined;
  /** Rejects every call that could change something, before a request is sent. Default false. */
  readonly readOnly?: boolean | undefined;
  /** Deadline of a call including retries and delays, in milliseconds. Default 30 000, and 9 000 for a key. */
  readonly timeoutMs?: number | undefined;
  /** How long the portal may take to begin a response, or pause in it, in milliseconds. Default 10 000. */
  readonly attemptTimeoutMs?: number | undefined;
  /**
   * Retries of a call that changed nothing: a failed GET, status 429, or no connection. A key is retried at most once.
   * Default 2.
   */
  readonly maxRetries?: number | undefined;
  /** Maximum number of connections, and so of concurrent requests. Without effect on your own `dispatcher`. Default 16. */
  readonly concurrency?: number | undefined;
  /** Maximum size of a response, in bytes. Default 16 MiB. */
  readonly maxResponseBytes?: number | undefined;
  /** Rows per page. Default 200, the maximum of the audit log (section 8). */
  readonly pageSize?: number | undefined;
  /** Number of the first page. Default 1; the interface does not show it (section 4.8). */
  readonly firstPage?: 0 | 1 | undefined;
  /** Headers added to every request, for a gateway in between. `authorization` cannot be set here. */
  readonly headers?: Headers | Readonly<Record<string, string>> | undefined;
  /**
   * Returns the body of a response in a usual shape, for a service whose shapes are others: a bare object or the envelope
   * `{result, success}`; for a list, an array or `{items, totalCount}`; for an error, a problem document, `{error}` or
   * `{message}`. Called for every response. Default: bodies are read as they are.
   */
  readonly adapt?: Adapt | undefined;
  /**
   * Your own undici dispatcher, which decides about certificates and proxies; `close()` leaves it open. Rejected when
   * NODE_TLS_REJECT_UNAUTHORIZED=0 is set. Default: the client's own, which uses HTTPS_PROXY, HTTP_PROXY and NO_PROXY, and
   * trusts the authorities of Node (NODE_EXTRA_CA_CERTS adds some).
   */
  readonly dispatcher?: Dispatcher | undefined;
  /** Environment with the proxy variables. Default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

const rules: OptionRules<keyof PortalClientOptions> = {
  baseUrl: true,
  apiKey: true,
  embedding: true,
  readOnly: { kind: 'boolean' },
  timeoutMs: { kind: 'whole', min: 1, max: longestTimerMs },
  attemptTimeoutMs: { kind: 'whole', min: 1, max: longestTimerMs },
  maxRetries: { kind: 'whole', min: 0, max: 10 },
  concurrency: { kind: 'whole', min: 1, max: 4096 },
  maxResponseBytes: { kind: 'whole', min: 1 },
  pageSize: { kind: 'whole', min: 1, max: 100_000 },
  firstPage: { kind: 'choice', values: [0, 1] },
  headers: true,
  adapt: { kind: 'function', expected: 'a function of a response' },
  dispatcher: true,
  env: true,
};

/** The checked options of a client, and its way to the portal. */
export type ClientSetup = ReturnType<typeof parseClientOptions>;

/** Checks the options of a client. Throws a {@link PortalError} of kind `config` that names the option. */
export const parseClientOptions = (options: PortalClientOptions) => {
  checkOptions('createPortalClient', options, rules);
  const embedding = options.embedding && parsePortalConnection(options.embedding);
  const baseUrl = parseAddress('baseUrl', 'bad_option_baseUrl', options.baseUrl ?? embedding?.baseUrl);
  const { timeoutMs } = options;
  return {
    baseUrl,
    embedding,
    apiKey: parseApiKey(options.apiKey ?? embedding?.apiKey[0]),
    readOnly: options.readOnly ?? false,
    timeoutMs: timeoutMs ?? 30_000,
    keyTimeoutMs: timeoutMs ?? 9000,
    attemptTimeoutMs: options.attemptTimeoutMs ?? 10_000,
    maxRetries: options.maxRetries ?? 2,
    maxResponseBytes: options.maxResponseBytes ?? 16 * 1024 * 1024,
    pageSize: options.pageSize ?? 200,
    firstPage: options.firstPage ?? 1,
    headers: parseHeaders(options.headers ?? {}),
    adapt: options.adapt,
    upstream: createUpstream({
      connections: options.concurrency ?? 16,
      dispatcher: options.dispatcher,
      env: options.env ?? process.env,
    }),
  };
};

const parseApiKey = (apiKey: ApiKey | undefined): ((signal: AbortSignal) => Promise<string>) => {
  if (typeof apiKey === 'function')
    return async (signal) => {
      let key: unknown;
      try {
        key = await apiKey(signal);
      } catch {
        // The caller's error may contain anything, even the key, so it is not included.
        throw configError(
          'api_key_function_failed',
          'The apiKey function failed, so nothing was sent. Check that function; its error is not shown here.',
        );
      }
      return checkSecret(key, 'apiKey').reveal();
    };
  const secret = checkSecret(apiKey, 'apiKey');
  return () => Promise.resolve(secret.reveal());
};

/** Checks the headers of a client or a call; their names in lower case. */
export const parseHeaders = (
  given: Headers | Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => {
  let headers: Headers;
  try {
    headers = new Headers(given);
  } catch {
    throw optionError('headers', 'a name or value is not valid in HTTP. Pass an object of texts, or Headers');
  }
  if (headers.has('authorization')) throw optionError('headers', 'it sets authorization, which apiKey sets');
  return Object.fromEntries(headers);
};
