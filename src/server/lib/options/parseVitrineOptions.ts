import { defaultEndpoint } from '@vitrine/contract';
import type { Viewer } from '../access/viewer.ts';
import type { TenantOptions } from '../keys/createTenant.ts';
import type { RateLimitOptions } from '../limits/rateLimitOptions.ts';
import { defaultLogger, type Logger, silentLogger } from '../log/logger.ts';
import type { OpenTelemetryApi } from '../telemetry/openTelemetryApi.ts';
import { VitrineOptionsError, type VitrineOptionsErrorCode } from './optionsError.ts';
import { parseKeyLifetime } from './parseKeyLifetime.ts';
import type { UpstreamOptions, VitrineOptions } from './vitrineOptions.ts';

/** Checked options with every default filled in. */
export interface ParsedOptions<TRequest, TViewer extends Viewer>
  extends Required<
    Pick<VitrineOptions<TRequest, TViewer>, 'viewer' | 'canView' | 'strictRls' | 'endpoint' | 'now'>
  > {
  readonly portal: VitrineOptions<TRequest, TViewer>['portal'];
  readonly actions: VitrineOptions<TRequest, TViewer>['actions'];
  readonly allowedOrigins: ReadonlySet<string>;
  readonly rateLimit: RateLimitOptions | undefined;
  readonly logger: Logger;
  readonly telemetry: OpenTelemetryApi | undefined;
  readonly tenant: TenantOptions;
}

const optionNames = [
  'portal',
  'viewer',
  'canView',
  'keyLifetime',
  'strictRls',
  'allowedOrigins',
  'rateLimit',
  'cache',
  'upstream',
  'endpoint',
  'actions',
  'logger',
  'openTelemetry',
  'now',
];

const upstreamRanges: Readonly<
  Record<keyof Omit<UpstreamOptions, 'retry' | 'ca'>, readonly [number, number]>
> = {
  connections: [1, 4096],
  attemptTimeoutMs: [100, 60_000],
  connectTimeoutMs: [100, 60_000],
  maxResponseBytes: [1024, 1_048_576],
  totalTimeoutMs: [100, 120_000],
  maxQueue: [0, 1_000_000],
};

const fail = (code: VitrineOptionsErrorCode, message: string): never => {
  throw new VitrineOptionsError(code, message);
};

const isWholeBetween = (value: unknown, low: number, high: number): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= low && value <= high;

const parseUpstream = (given: UpstreamOptions = {}) => {
  for (const [name, value] of Object.entries(given)) {
    if (name === 'retry' || name === 'ca' || value === undefined) continue;
    // A name that is not in the table has no range and is refused with the list.
    const range = Object.hasOwn(upstreamRanges, name)
      ? upstreamRanges[name as keyof typeof upstreamRanges]
      : undefined;
    if (range === undefined)
      return fail(
        'invalid_upstream',
        `Option "upstream" has no "${name.slice(0, 40)}"; it has ${Object.keys(upstreamRanges).join(', ')}, retry and ca.`,
      );
    if (!isWholeBetween(value, range[0], range[1]))
      return fail(
        'invalid_upstream',
        `Option "upstream.${name}" must be a whole number between ${range[0]} and ${range[1]}; it is ${String(value).slice(0, 40)}.`,
      );
  }
  const certificates: readonly unknown[] = [given.ca ?? []].flat();
  if (!certificates.every((one) => typeof one === 'string' && one.includes('-----BEGIN CERTIFICATE-----')))
    return fail(
      'invalid_upstream',
      'Option "upstream.ca" takes the text of certificates (PEM), not the name of a file: ca: readFileSync("authority.pem", "utf8").',
    );
  const { connections = 64, totalTimeoutMs = 9000, maxQueue = 1000, ...others } = given;
  if ((others.attemptTimeoutMs ?? 0) > totalTimeoutMs)
    return fail(
      'invalid_upstream',
      `Option "upstream" contradicts itself: one attempt may take ${others.attemptTimeoutMs} ms, and all of them together ${totalTimeoutMs}. Raise totalTimeoutMs or lower attemptTimeoutMs.`,
    );
  return { minter: { ...others, connections }, totalTimeoutMs, maxQueue };
};

const parseOrigins = (given: readonly string[] = []): ReadonlySet<string> => {
  for (const origin of given)
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      return fail(
        'invalid_allowed_origins',
        `Option "allowedOrigins" takes origins such as "https://app.example.com", without a path or a star; one of them is ${JSON.stringify(origin)?.slice(0, 60)}.`,
      );
  return new Set(given);
};

const parseLimits = (given: false | RateLimitOptions = {}): RateLimitOptions | undefined => {
  if (given === false) return undefined;
  for (const name of ['perViewer', 'perTenant'] as const) {
    const limit = given[name];
    if (limit === undefined || limit === false || 'consume' in limit) continue;
    if (!isWholeBetween(limit.points, 1, 1e9) || !isWholeBetween(limit.durationSeconds, 1, 86_400))
      return fail(
        'invalid_rate_limit',
        `Option "rateLimit.${name}" must be { points, durationSeconds } with whole numbers above 0, a limiter of rate-limiter-flexible, or false.`,
      );
  }
  return given;
};

const parseLogger = (given: Logger | false | undefined): Logger => {
  if (given === undefined) return defaultLogger();
  if (given === false) return silentLogger;
  for (const method of ['debug', 'info', 'warn', 'error'] as const)
    if (typeof given[method] !== 'function')
      return fail(
        'invalid_logger',
        `Option "logger" lacks the method "${method}". Hand in console, pino() or false.`,
      );
  return given;
};

const parseTelemetry = (given: OpenTelemetryApi | undefined): OpenTelemetryApi | undefined => {
  if (given === undefined) return undefined;
  if (typeof given.trace?.getTracer !== 'function' || typeof given.metrics?.getMeter !== 'function')
    return fail(
      'invalid_open_telemetry',
      'Option "openTelemetry" must be the module itself: import * as openTelemetry from "@opentelemetry/api".',
    );
  return given;
};

const parseCache = (given: VitrineOptions<unknown>['cache']): TenantOptions['cache'] => {
  if (given === undefined || given === false) return undefined;
  if (given === true) return {};
  const { maxEntries = 1, maxAgeShare = 0.5 } = given;
  if (!isWholeBetween(maxEntries, 1, 1e7) || !(maxAgeShare > 0 && maxAgeShare < 1))
    return fail(
      'invalid_cache',
      'Option "cache" takes { maxEntries } as a whole number above 0 and { maxAgeShare } between 0 and 1.',
    );
  return given;
};

const checkCallbacks = (options: { portal?: unknown; viewer?: unknown; canView?: unknown }): void => {
  if (options.portal === undefined || options.portal === null)
    fail('missing_portal', 'Option "portal" is missing. Hand in portalFromEnv(), or the connection itself.');
  if (typeof options.viewer !== 'function')
    fail(
      'missing_viewer',
      'Option "viewer" is missing: a function that says who sent a request by your own sign-in, such as (req) => req.user && { userId: req.user.email }. Without it nobody could be told apart.',
    );
  if (typeof options.canView !== 'function')
    fail(
      'missing_can_view',
      'Option "canView" is missing: a function that says whether a viewer may see a report, (viewer, itemId) => boolean. To let every viewer see every report, write canView: allowAll.',
    );
};

/** Checks the options of a mount, once. Throws a {@link VitrineOptionsError} that names the option and what to write. */
export const parseVitrineOptions = <TRequest, TViewer extends Viewer>(
  options: VitrineOptions<TRequest, TViewer>,
): ParsedOptions<TRequest, TViewer> => {
  if (typeof options !== 'object' || options === null)
    return fail('missing_options', 'Vitrine needs options: { portal, viewer, canView }.');
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name));
  if (unknown !== undefined)
    return fail(
      'unknown_option',
      `There is no option "${unknown.slice(0, 40)}". The options are ${optionNames.join(', ')}.`,
    );
  checkCallbacks(options);
  const { endpoint = defaultEndpoint, now = Date.now, strictRls = true } = options;
  if (!/^(\/[\w.~-]+)*$/.test(endpoint))
    return fail('invalid_endpoint', 'Option "endpoint" must be a path such as "/api/embed".');
  if (options.actions !== undefined && typeof options.actions.open !== 'function')
    return fail('invalid_actions', 'Option "actions" must be made by createActionStream().');
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
    logger: parseLogger(options.logger),
    telemetry: parseTelemetry(options.openTelemetry),
    tenant: {
      ...parseUpstream(options.upstream),
      lifetimeMs: parseKeyLifetime(options.keyLifetime),
      cache: parseCache(options.cache),
      now,
    },
  };
};
