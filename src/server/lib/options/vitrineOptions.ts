import type { PortalClientOptions, PortalConnectionInput } from '@vitrine/portal-client';
import type { MaybePromise, Nobody, Viewer } from '../access/viewer.ts';
import type { RateLimitOptions } from '../limits/rateLimitOptions.ts';
import type { Logger } from '../log/logger.ts';
import type { ErrorContext } from '../telemetry/createKeyObserver.ts';
import type { KeyAuditRecord } from '../telemetry/keyAuditRecord.ts';
import type { OpenTelemetryApi } from '../telemetry/openTelemetryApi.ts';
import type { MountedActions } from './mountedActions.ts';

/** How to call the portal. */
export interface UpstreamOptions extends Pick<PortalClientOptions, 'tls' | 'dispatcher'> {
  /**
   * Maximum number of connections to the portal, per tenant. They limit the throughput: 64 connections at 50 ms per key
   * allow 1,280 keys per second. Default 64.
   */
  readonly connections?: number | undefined;
  /** Time limit of one call, in milliseconds. Default `totalTimeoutMs`. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Whether to retry a call once if its connection failed, or after a status of 500 to 504. Default true. */
  readonly retry?: boolean | undefined;
  /** The same as `tls.ca`. */
  readonly ca?: string | readonly string[] | undefined;
  /** Maximum time that a viewer waits, including the queue, in milliseconds. Default 9,000: browsers stop waiting after ten seconds. */
  readonly totalTimeoutMs?: number;
  /** Maximum number of calls waiting for a free connection, per tenant; further calls get 503. Default 1,000. */
  readonly maxQueue?: number;
}

/** Chooses the tenant of a request. */
export type PortalOfRequest<TRequest> = (request: TRequest) => MaybePromise<PortalConnectionInput>;

/** Options of the key endpoint, the same for every framework. */
export interface VitrineOptions<TRequest, TViewer extends Viewer = Viewer> {
  /**
   * The portal's tenant: an object, `portalFromEnv()`, or a function of the request if a host serves several tenants or
   * reloads its secrets. Return a new object for each tenant.
   */
  readonly portal: PortalConnectionInput | PortalOfRequest<TRequest>;
  /** Returns who sends the request, according to the host's sign-in. A falsy value means nobody; the response is 401. */
  readonly viewer: (request: TRequest) => MaybePromise<TViewer | Nobody>;
  /** Returns whether the viewer may see the report. Unless it is `true`, the response is the same as for a report that does not exist. `allowAll` allows every report. */
  readonly canView: (viewer: TViewer, itemId: number, request: TRequest) => MaybePromise<boolean>;
  /** Lifetime of a key, such as `'45m'` or in milliseconds: one minute to 24 hours. Default 45 minutes. */
  readonly keyLifetime?: string | number;
  /**
   * Whether to reject identities that row-level security rejects, before the call: more than 50 roles, a role above 50
   * characters or with a comma, a user ID with a space. Default true. With false, they are sent unchanged.
   */
  readonly strictRls?: boolean;
  /** Other origins that may request keys, such as `https://app.example.com`. Default none. */
  readonly allowedOrigins?: readonly string[];
  /** Limits for each viewer and each tenant, or false for none. Default 120 a minute for a viewer, 60,000 for a tenant. */
  readonly rateLimit?: false | RateLimitOptions;
  /** Calls to the portal: connections, deadlines, queue, retries, certificates. Each option has a default. */
  readonly upstream?: UpstreamOptions;
  /** Mount path of the handler, for frameworks that pass the whole path. Default `/api/embed`. */
  readonly endpoint?: string;
  /**
   * Serves `POST {endpoint}/webhook` and `GET {endpoint}/actions`: the result of `createActions()` from `@vitrine/actions`.
   * Without it, these routes do not exist.
   */
  readonly actions?: MountedActions<NoInfer<TViewer>>;
  /** The logger: `pino()` or `console`. Default: warnings and errors on the console. False turns logging off. */
  readonly logger?: Logger | false;
  /** The module `@opentelemetry/api`, for a span and a measurement of each key request. Default: none. */
  readonly openTelemetry?: OpenTelemetryApi;
  /**
   * Called for every issued or refused key with the viewer, the report, the outcome and the request ID, never with a key.
   * It must not block; errors that it throws are ignored. Default: none.
   */
  readonly audit?: (record: KeyAuditRecord) => unknown;
  /**
   * Called for every response of 500 and above, for example to report to Sentry. It receives the original error of
   * `viewer`, `portal` or `canView`. Default: none.
   */
  readonly onError?: (error: unknown, context: ErrorContext) => unknown;
  /** Time limit of `viewer`, `portal` and `canView` each, in milliseconds; after it, the response is 500. Default 5,000. */
  readonly callbackTimeoutMs?: number;
  /** Time limit for receiving the body of a request, in milliseconds. Default 5,000. */
  readonly bodyTimeoutMs?: number;
  /** Maximum number of tenants kept if `portal` is a function; the least recently used is removed. Default 1,000. */
  readonly maxTenants?: number;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: () => number;
}
