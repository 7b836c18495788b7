import type { KeyMinterOptions, PortalConnectionInput } from '@vitrine/portal-client';
import type { MaybePromise, Nobody, Viewer } from '../access/viewer.ts';
import type { RateLimitOptions } from '../limits/rateLimitOptions.ts';
import type { Logger } from '../log/logger.ts';
import type { ErrorContext } from '../telemetry/createKeyObserver.ts';
import type { KeyAuditRecord } from '../telemetry/keyAudit.ts';
import type { OpenTelemetryApi } from '../telemetry/openTelemetryApi.ts';
import type { KeyCacheOptions } from '../upstream/createKeyCache.ts';
import type { MountedActions } from './actionsRoute.ts';

/** How the portal is called. */
export interface UpstreamOptions
  extends Pick<
    KeyMinterOptions,
    | 'connections'
    | 'attemptTimeoutMs'
    | 'connectTimeoutMs'
    | 'maxResponseBytes'
    | 'retry'
    | 'ca'
    | 'tls'
    | 'dispatcher'
  > {
  /** Milliseconds a viewer waits at most, time in the queue included. Default 9,000: browsers give up after ten seconds. */
  readonly totalTimeoutMs?: number;
  /** Calls that may wait for a free connection, for each tenant; more are answered 503. Default 1,000. */
  readonly maxQueue?: number;
}

/** Options of the key endpoint, the same for every framework. */
export interface VitrineOptions<TRequest, TViewer extends Viewer = Viewer> {
  /**
   * The tenant: an object, `portalFromEnv()`, or a function of the request where one host serves several tenants or
   * loads its secrets anew while it runs.
   */
  readonly portal: PortalConnectionInput | ((request: TRequest) => MaybePromise<PortalConnectionInput>);
  /** Who sends the request, by the host's own sign-in; anything falsy means nobody and is answered 401. */
  readonly viewer: (request: TRequest) => MaybePromise<TViewer | Nobody>;
  /** Whether the viewer may see the report; all but `true` is answered as if it did not exist. `allowAll` skips the question. */
  readonly canView: (viewer: TViewer, itemId: number, request: TRequest) => MaybePromise<boolean>;
  /** How long a key lives, as `'45m'` or in milliseconds: one minute to 24 hours. Default 45 minutes. */
  readonly keyLifetime?: string | number;
  /**
   * Whether identities that row-level security refuses fail before the call: more than 50 roles, a role above 50
   * characters or with a comma, a user ID with a space. Default true. With false they are sent as they are.
   */
  readonly strictRls?: boolean;
  /** Origins other than the host's own that may ask for keys, such as `https://app.example.com`. Default none. */
  readonly allowedOrigins?: readonly string[];
  /** Limits for each viewer and each tenant, or false for none. Default 120 a minute for a viewer, 60,000 for a tenant. */
  readonly rateLimit?: false | RateLimitOptions;
  /** Keeps keys and hands them out again for half of their life. Default false: a key then names one page view. */
  readonly cache?: boolean | KeyCacheOptions;
  /** How the portal is called: connections, deadlines, queue, repetition, certificates. Each has a default of its own. */
  readonly upstream?: UpstreamOptions;
  /** Path the handler is mounted at, for adapters that are not told by their framework. Default `/api/embed`. */
  readonly endpoint?: string;
  /**
   * What answers `POST {endpoint}/webhook` and `GET {endpoint}/actions`, made by `createActions()` of `@vitrine/actions`.
   * Without it these routes do not exist.
   */
  readonly actions?: MountedActions<NoInfer<TViewer>>;
  /** Where notices go: `pino()` or `console`. Default: warnings and errors on the console. False for nowhere. */
  readonly logger?: Logger | false;
  /** The module `@opentelemetry/api`, for a span and a measurement of each key request. Default: none. */
  readonly openTelemetry?: OpenTelemetryApi;
  /**
   * Hears of every key that was issued or refused: who, which report, how it ended, the request ID. Never a key. It must
   * not throw or block; what it throws is ignored. Default: none.
   */
  readonly audit?: (record: KeyAuditRecord) => unknown;
  /**
   * Hears of every error that a request is answered 500 or above for, for Sentry and the like. An error of `viewer`,
   * `portal` or `canView` arrives as it was thrown. Default: none.
   */
  readonly onError?: (error: unknown, context: ErrorContext) => unknown;
  /** Milliseconds that `viewer`, `portal` and `canView` may each take; then the answer is 500. Default 5,000. */
  readonly callbackTimeoutMs?: number;
  /** Milliseconds that the body of a request may take to arrive. Default 5,000. */
  readonly bodyTimeoutMs?: number;
  /** Tenants kept at most, where `portal` is a function; the least recently used one leaves first. Default 1,000. */
  readonly maxTenants?: number;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: () => number;
}
