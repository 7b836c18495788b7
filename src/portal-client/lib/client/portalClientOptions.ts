import type { Dispatcher } from 'undici';
import type { PortalConnectionInput } from '../embedding/portalConnection.ts';
import type { CallStats } from '../errors/callStats.ts';
import type { TlsOptions } from '../http/upstream.ts';
import type { Adapt } from '../responses/success.ts';
import type { Secret } from '../secret.ts';

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
  /** Maximum number of requests per second, evenly spaced. No limit by default: the interface defines none (section 8). */
  readonly requestsPerSecond?: number | undefined;
  /** Maximum size of a response, in bytes. Default 16 MiB. */
  readonly maxResponseBytes?: number | undefined;
  /** Rows per page. Default 200, the maximum of the audit log (section 8). */
  readonly pageSize?: number | undefined;
  /** Number of the first page. Default 1; the interface does not show it (section 4.8). */
  readonly firstPage?: 0 | 1 | undefined;
  /** Headers added to every request, for a gateway in between. `authorization` cannot be set here. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Returns the body of a response in a usual shape, for a service whose shapes are others: a bare object or the envelope
   * `{result, success}`; for a list, an array or `{items, totalCount}`; for an error, a problem document, `{error}` or
   * `{message}`. Called for every response. Default: bodies are read as they are.
   */
  readonly adapt?: Adapt | undefined;
  /** Called after each request, for logs and metrics. The statistics contain no key, body or query. */
  readonly onAttempt?: ((stats: CallStats) => void) | undefined;
  /**
   * Your own undici dispatcher, which decides about certificates and proxies; `close()` leaves it open. Rejected when
   * NODE_TLS_REJECT_UNAUTHORIZED=0 is set. Default: the client's own, which uses HTTPS_PROXY, HTTP_PROXY and NO_PROXY.
   */
  readonly dispatcher?: Dispatcher | undefined;
  /** Trusted authorities and a client certificate. Not together with `dispatcher`. Default: Node's certificates. */
  readonly tls?: TlsOptions | undefined;
  /** Environment with the proxy variables. Default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}
