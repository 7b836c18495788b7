import type { Dispatcher } from 'undici';
import type { PortalConnectionInput } from '../embedding/portalConnection.ts';
import type { CallStats } from '../errors/callStats.ts';
import type { Clock } from '../http/clock.ts';
import type { TlsOptions } from '../http/createDispatcher.ts';
import type { Secret } from '../secret.ts';

/** The Tenant API Key, or a function that fetches it; asked before every request, so a rotated key is picked up. */
export type ApiKey = string | Secret | ((signal: AbortSignal) => string | Secret | Promise<string | Secret>);

/** One request as `onAttempt` sees it. Holds no key, body or query. */
export type AttemptReport = CallStats;

/** Options of `createPortalClient`. */
export interface PortalClientOptions {
  /** `{base_url}` of the interface (section 4): https, or http on a loopback host. A path is kept. */
  readonly baseUrl: string;
  /** Tenant API Key, sent as a Bearer token (section 5). */
  readonly apiKey: ApiKey;
  /** Connection for `embeddedKeys` (sections 4.6 and 5); leave it out when no keys are created. */
  readonly embedding?: PortalConnectionInput | undefined;
  /** Refuses every call that could change something, before anything is sent. Default false. */
  readonly readOnly?: boolean | undefined;
  /** Deadline of a call with all its retries and pauses, in milliseconds. Default 30 000. */
  readonly timeoutMs?: number | undefined;
  /** Deadline of one request, in milliseconds. Default 10 000. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Repetitions after a failed GET or DELETE. A POST or PATCH is never repeated. Default 2. */
  readonly maxRetries?: number | undefined;
  /** Requests in flight at once. Default 16. */
  readonly concurrency?: number | undefined;
  /** Requests started per second, evenly spaced. No limit by default: the interface states none (section 8). */
  readonly requestsPerSecond?: number | undefined;
  /** Longest answer that is read, in bytes. Default 16 MiB. */
  readonly maxResponseBytes?: number | undefined;
  /** Rows asked for on a page. Default 200, the maximum of the audit log (section 8). */
  readonly pageSize?: number | undefined;
  /** Number of the first page. Default 1; the interface does not show it (section 4.8). */
  readonly firstPage?: 0 | 1 | undefined;
  /** Headers added to every request, for a gateway in between. `authorization` cannot be set here. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Told after each request; for logs and metrics. */
  readonly onAttempt?: ((report: AttemptReport) => void) | undefined;
  /**
   * An undici dispatcher of your own, which `close()` leaves open. Certificates and proxies are then its business, and
   * NODE_TLS_REJECT_UNAUTHORIZED=0 beside it is an error. Default one of the client's own, which goes through the proxy of HTTPS_PROXY, HTTP_PROXY and NO_PROXY.
   */
  readonly dispatcher?: Dispatcher | undefined;
  /** Authorities to trust, and a client certificate. Not together with `dispatcher`. Default: what Node trusts. */
  readonly tls?: TlsOptions | undefined;
  /** Time. Default the machine's. */
  readonly clock?: Clock | undefined;
  /** Jitter: a number from 0 up to 1. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
}
