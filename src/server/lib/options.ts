import { explain, checkOptions as findFailure, kindOf, type OptionRules } from '@vitrine/contract/service';
import {
  isPortalError,
  type PortalClientOptions,
  type PortalConnectionInput,
  parsePortalConnection,
} from '@vitrine/portal-client';
import type { MountedActions } from './actionRoutes.ts';
import type { MaybePromise } from './hostCalls.ts';
import { defaultLogger, type Logger, type RequestRecord, safeLogger, silentLogger } from './log.ts';
import type { RateLimit, SharedLimiter } from './rateLimit.ts';
import type { Viewer, ViewerOptions } from './viewer.ts';

/** How to call the portal. */
export interface UpstreamOptions extends Pick<PortalClientOptions, 'dispatcher'> {
  /**
   * Maximum number of connections to the portal, per tenant; one viewer gets at most half of them, one report three quarters. They limit the
   * throughput: 64 connections at 50 ms per key allow 1,280 keys per second. Default 64.
   */
  readonly connections?: number | undefined;
  /** Whether to retry a call once if its connection failed, or after a status of 500 to 504. Default true. */
  readonly retry?: boolean | undefined;
  /** Maximum time that a viewer waits, including the queue, in milliseconds. Default 9,000: browsers stop waiting after ten seconds. */
  readonly totalTimeoutMs?: number;
  /** Maximum number of calls waiting for a free connection, per tenant; further calls get 503. Default 1,000. */
  readonly maxQueue?: number;
}

/** What is known of a request when it ends. */
type RequestFacts = Pick<RequestRecord, 'requestId' | 'userId' | 'itemId' | 'tenancyName'>;

/** The record of one issued or refused key. Never contains the key. */
export interface KeyAuditRecord extends RequestFacts, Pick<RequestRecord, 'outcome'> {
  /** When the request ended, in milliseconds since the epoch. */
  readonly timeMs: number;
  readonly durationMs: number;
}

/** The context of an error with a response of 500 or above. Plain data, for logs, JSON or `structuredClone`. */
export interface ErrorContext extends RequestFacts {
  readonly code: Exclude<RequestRecord['outcome'], 'issued' | 'aborted'>;
}

/** Options of the key endpoint, the same for every framework. */
export interface VitrineOptions<TRequest, TViewer extends Viewer = Viewer>
  extends ViewerOptions<TRequest, TViewer> {
  /**
   * The portal's tenant: an object, `portalFromEnv()`, or a function of the request if a host serves several tenants or
   * reloads its secrets. Return a new object for each tenant.
   */
  readonly portal: PortalConnectionInput | ((request: TRequest) => MaybePromise<PortalConnectionInput>);
  /** Lifetime of a key, such as `'45m'` or in milliseconds: one minute to 24 hours. Default 45 minutes. */
  readonly keyLifetime?: string | number;
  /**
   * Other origins that may request keys, such as `https://app.example.com` or `capacitor://localhost`. Default none.
   */
  readonly allowedOrigins?: readonly string[];
  /** Limit of each viewer of a tenant, or false for none. Default 120 a minute. */
  readonly rateLimit?: RateLimit | SharedLimiter | false;
  /** Calls to the portal: connections, deadline, queue, retries, certificates. Each option has a default. */
  readonly upstream?: UpstreamOptions;
  /** Mount path of the handler, for frameworks that pass the whole path. Default `/api/embed`. */
  readonly endpoint?: string;
  /**
   * Serves `GET {endpoint}/items`, the reports, dashboards and apps that `canView` allows the viewer. With true, `canView`
   * is asked about every item of the tenant, at most 500; a function returns the item IDs to ask about. The API key needs
   * the permission Administration.Items. Default false: the route does not exist.
   */
  readonly items?:
    | boolean
    | ((viewer: NoInfer<TViewer>, request: TRequest) => MaybePromise<readonly number[]>);
  /**
   * Serves `POST {endpoint}/webhook` and `GET {endpoint}/actions`: the result of `createActions()` from `@vitrine/server/actions`.
   * Without it, these routes do not exist.
   */
  readonly actions?: MountedActions<NoInfer<TViewer>>;
  /** The logger: `pino()` or `console`. Default: warnings and errors on the console. False turns logging off. */
  readonly logger?: Logger | false;
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
}

/** Codes of {@link VitrineOptionsError}: stable, one for each kind of mistake. */
export type VitrineOptionsErrorCode =
  | 'missing_options'
  | 'unknown_option'
  | 'invalid_option'
  | 'invalid_portal'
  | 'invalid_proxy'
  | 'missing_environment'
  | 'unread_variable';

/** An option is not valid. Thrown at construction, so that an invalid setup does not start. */
export class VitrineOptionsError extends Error {
  override readonly name = 'VitrineOptionsError';
  /** Stable code of the mistake; docs/guides/key-endpoint.md lists them. */
  readonly code: VitrineOptionsErrorCode;

  constructor(code: VitrineOptionsErrorCode, message: string) {
    super(`${message} [${code}]`);
    this.code = code;
  }
}

/** Throws a {@link VitrineOptionsError}. */
export const fail = (message: string, code: VitrineOptionsErrorCode = 'invalid_option'): never => {
  throw new VitrineOptionsError(code, message);
};

/** Throws the error of an option: what was seen of it, and what to pass. */
export const invalid = (setting: string, found: string, expected: string): never =>
  fail(explain({ code: 'invalid_option', setting, found, expected }, 'option').what);

/** Checks a connection: one that is not valid is an error of the option `portal`. */
export const checkPortal = (portal: PortalConnectionInput): void => {
  if ('then' in Object(portal))
    fail('Option "portal" is a promise. Await it: portal: await loadPortal().', 'invalid_portal');
  try {
    parsePortalConnection(portal);
  } catch (error) {
    if (!isPortalError(error)) throw error;
    fail(error.message, 'invalid_portal');
  }
};

/** Throws the first failure of options. `subject` is the function that has them. */
export const checkOptions = (subject: string, given: unknown, rules: OptionRules): void => {
  const failure = findFailure(subject, given, rules);
  // The codes of such a failure are codes of ours.
  if (failure !== undefined) fail(explain(failure, 'option').what, failure.code as VitrineOptionsErrorCode);
};

/** Whether a value is an object with these methods. */
export const hasMethods = (value: unknown, methods: readonly string[]): boolean =>
  typeof value === 'object' &&
  value !== null &&
  methods.every((method) => typeof Reflect.get(value, method) === 'function');

/** The logger of an option: it never throws. */
export const parseLogger = (given: Logger | false | undefined): Logger => {
  if (given === undefined) return defaultLogger;
  if (given === false) return silentLogger;
  const missing = ['debug', 'info', 'warn', 'error'].find((method) => !hasMethods(given, [method]));
  return missing === undefined
    ? safeLogger(given)
    : invalid('logger', `${kindOf(given)} without the method "${missing}"`, 'console or pino()');
};
