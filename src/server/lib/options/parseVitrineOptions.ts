import { defaultEndpoint } from '@vitrine/contract';
import type { Viewer } from '../access/viewer.ts';
import type { RateLimitOptions } from '../limits/rateLimitOptions.ts';
import { createSafeLogger } from '../log/createSafeLogger.ts';
import { defaultLogger, type Logger, silentLogger } from '../log/logger.ts';
import type { OpenTelemetryApi } from '../telemetry/openTelemetryApi.ts';
import type { TenantUpstreamOptions } from '../upstream/createTenantUpstream.ts';
import {
  checkNames,
  checkOpenTelemetry,
  checkOptions,
  fail,
  isObject,
  isWholeBetween,
  kindOf,
  type OptionNames,
  shown,
} from './checkOptions.ts';
import { parseKeyLifetime } from './parseKeyLifetime.ts';
import { parseUpstream } from './parseUpstream.ts';
import type { VitrineOptions } from './vitrineOptions.ts';

/** Checked options with every default filled in. */
export interface ParsedOptions<TRequest, TViewer extends Viewer>
  extends Required<
    Pick<
      VitrineOptions<TRequest, TViewer>,
      'viewer' | 'canView' | 'strictRls' | 'endpoint' | 'now' | 'callbackTimeoutMs' | 'bodyTimeoutMs'
    >
  > {
  readonly portal: VitrineOptions<TRequest, TViewer>['portal'];
  readonly actions: VitrineOptions<TRequest, TViewer>['actions'];
  readonly allowedOrigins: ReadonlySet<string>;
  readonly rateLimit: RateLimitOptions | undefined;
  readonly logger: Logger;
  readonly telemetry: OpenTelemetryApi | undefined;
  readonly audit: VitrineOptions<TRequest, TViewer>['audit'];
  readonly onError: VitrineOptions<TRequest, TViewer>['onError'];
  readonly upstream: TenantUpstreamOptions & { readonly maxTenants: number };
}

const optionNames: OptionNames<VitrineOptions<unknown>> = {
  portal: true,
  viewer: true,
  canView: true,
  keyLifetime: true,
  strictRls: true,
  allowedOrigins: true,
  rateLimit: true,
  upstream: true,
  endpoint: true,
  actions: true,
  logger: true,
  openTelemetry: true,
  audit: true,
  onError: true,
  callbackTimeoutMs: true,
  bodyTimeoutMs: true,
  maxTenants: true,
  now: true,
};

const parseOrigins = (given: readonly string[] = []): ReadonlySet<string> => {
  // Plain JavaScript may pass one string, or null.
  const origins: readonly unknown[] = Array.isArray(given) ? given : [given];
  for (const origin of origins)
    if (
      typeof origin !== 'string' ||
      origin.includes('*') ||
      !URL.canParse(origin) ||
      new URL(origin).origin !== origin
    )
      return fail(
        'invalid_allowed_origins',
        `Option "allowedOrigins" must list origins such as "https://app.example.com", in lower case, without a path, trailing slash, default port or wildcard; one of them is ${shown(origin)}.`,
      );
  return new Set(origins as readonly string[]); // each was checked above
};

const parseLimits = (given: false | RateLimitOptions = {}): RateLimitOptions | undefined => {
  if (given === false) return undefined;
  checkNames('rateLimit', given, ['perViewer', 'perTenant']);
  for (const name of ['perViewer', 'perTenant'] as const) {
    const limit = given[name];
    if (limit === undefined || limit === false || (isObject(limit) && 'consume' in limit)) continue;
    if (
      !isObject(limit) ||
      !isWholeBetween(limit.points, 1, 1e9) ||
      !isWholeBetween(limit.durationSeconds, 1, 86_400)
    )
      return fail(
        'invalid_rate_limit',
        `Option "rateLimit.${name}" must be { points, durationSeconds } with whole numbers above 0, a limiter of rate-limiter-flexible, or false; it is ${isObject(limit) ? `{ points: ${shown(limit.points)}, durationSeconds: ${shown(limit.durationSeconds)} }` : kindOf(limit)}.`,
      );
  }
  return given;
};

const parseLogger = (given: Logger | false | undefined): Logger => {
  if (given === undefined) return defaultLogger();
  if (given === false) return silentLogger;
  for (const method of ['debug', 'info', 'warn', 'error'] as const)
    if (typeof given?.[method] !== 'function')
      return fail(
        'invalid_logger',
        `Option "logger" is ${kindOf(given)} without the method "${method}". Pass console, pino() or false.`,
      );
  return createSafeLogger(given);
};

const parseHook = <THook>(name: 'audit' | 'onError', given: THook): THook =>
  given === undefined || typeof given === 'function'
    ? given
    : fail('invalid_hook', `Option "${name}" must be a function; it is ${kindOf(given)}.`);

const defaultTimeoutMs = 5000;

const parseTimeout = (
  name: 'callbackTimeoutMs' | 'bodyTimeoutMs',
  given: number = defaultTimeoutMs,
): number =>
  isWholeBetween(given, 100, 120_000)
    ? given
    : fail(
        'invalid_timeout',
        `Option "${name}" must be a whole number between 100 and 120,000; it is ${shown(given)}.`,
      );

const parseMaxTenants = (given: number = 1000): number =>
  isWholeBetween(given, 1, 100_000)
    ? given
    : fail(
        'invalid_max_tenants',
        `Option "maxTenants" must be a whole number between 1 and 100,000; it is ${shown(given)}.`,
      );

/** The problem of an option that must be a function. */
const notFunction = (given: unknown): string =>
  given === undefined ? 'is missing' : `must be a function; it is ${kindOf(given)}`;

const checkCallbacks = (options: { portal?: unknown; viewer?: unknown; canView?: unknown }): void => {
  if (options.portal === undefined || options.portal === null)
    fail(
      'missing_portal',
      'Option "portal" is missing. Pass portalFromEnv() or an object with the connection.',
    );
  if (typeof options.viewer !== 'function')
    fail(
      'missing_viewer',
      `Option "viewer" ${notFunction(options.viewer)}. Pass a function that returns who sent a request, such as (req) => req.user && { userId: req.user.email }.`,
    );
  if (typeof options.canView !== 'function')
    fail(
      'missing_can_view',
      `Option "canView" ${notFunction(options.canView)}. Pass a function that returns whether a viewer may see a report: (viewer, itemId) => boolean. To show every report to every viewer, set canView: allowAll.`,
    );
};

/**
 * Checks the options of a mount, once. Throws a {@link VitrineOptionsError} that names the option and its valid values.
 */
export const parseVitrineOptions = <TRequest, TViewer extends Viewer>(
  options: VitrineOptions<TRequest, TViewer>,
): ParsedOptions<TRequest, TViewer> => {
  checkOptions('vitrine', options, optionNames);
  checkCallbacks(options);
  const { endpoint = defaultEndpoint, now = Date.now, strictRls = true } = options;
  if (!/^(\/(?!\.{1,2}(\/|$))[\w.~-]+)*$/.test(endpoint))
    return fail(
      'invalid_endpoint',
      `Option "endpoint" must be a path such as "/api/embed", without a trailing slash and without "." or ".." as a segment; it is ${shown(endpoint)}.`,
    );
  if (typeof strictRls !== 'boolean')
    return fail('invalid_strict_rls', `Option "strictRls" must be true or false; it is ${shown(strictRls)}.`);
  if (typeof now !== 'function')
    return fail(
      'invalid_now',
      `Option "now" must be a function that returns milliseconds since 1970, such as Date.now; it is ${shown(now)}.`,
    );
  if (options.actions !== undefined && typeof options.actions?.open !== 'function')
    return fail(
      'invalid_actions',
      `Option "actions" must be the result of createActions(); it is ${kindOf(options.actions)}.`,
    );
  checkOpenTelemetry(options.openTelemetry);
  const logger = parseLogger(options.logger);
  return {
    portal: options.portal,
    viewer: options.viewer,
    canView: options.canView,
    actions: options.actions,
    strictRls,
    endpoint,
    now,
    allowedOrigins: parseOrigins(options.allowedOrigins),
    rateLimit: parseLimits(options.rateLimit),
    logger,
    telemetry: options.openTelemetry,
    audit: parseHook('audit', options.audit),
    onError: parseHook('onError', options.onError),
    callbackTimeoutMs: parseTimeout('callbackTimeoutMs', options.callbackTimeoutMs),
    bodyTimeoutMs: parseTimeout('bodyTimeoutMs', options.bodyTimeoutMs),
    upstream: {
      ...parseUpstream(options.upstream),
      lifetimeMs: parseKeyLifetime(options.keyLifetime),
      maxTenants: parseMaxTenants(options.maxTenants),
      logger,
      now,
    },
  };
};
