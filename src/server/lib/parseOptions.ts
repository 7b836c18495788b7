import { defaultEndpoint, maxKeyLifetimeMs, minKeyLifetimeMs } from '@vitrine/contract';
import { kindOf, type OptionRules, valueText } from '@vitrine/contract/service';
import type { Logger } from './log.ts';
import {
  checkOptions,
  fail,
  hasMethods,
  parseLogger,
  type UpstreamOptions,
  type VitrineOptions,
  type VitrineOptionsErrorCode,
} from './options.ts';
import type { PortalCallOptions } from './portalCalls.ts';
import type { RateLimitOptions } from './rateLimit.ts';
import { matchRoute } from './requestChecks.ts';
import type { Viewer } from './viewer.ts';

/** Checked options with every default filled in. */
export interface ParsedOptions<TRequest, TViewer extends Viewer>
  extends Pick<
      VitrineOptions<TRequest, TViewer>,
      'portal' | 'viewer' | 'canView' | 'actions' | 'audit' | 'onError'
    >,
    Required<Pick<VitrineOptions<TRequest, TViewer>, 'strictRls' | 'endpoint' | 'items' | 'rateLimit'>> {
  readonly allowedOrigins: ReadonlySet<string>;
  readonly logger: Logger;
  readonly upstream: PortalCallOptions;
}

/** Every option, and what the plain ones may hold. */
const rules: OptionRules<keyof VitrineOptions<never>> = {
  portal: true,
  viewer: true,
  canView: true,
  keyLifetime: true,
  strictRls: { kind: 'boolean' },
  allowedOrigins: true,
  rateLimit: { kind: 'group', or: false, options: { perViewer: true, perTenant: true } },
  upstream: {
    kind: 'group',
    options: {
      connections: { kind: 'whole', min: 1, max: 4096 },
      totalTimeoutMs: { kind: 'whole', min: 100, max: 120_000 },
      maxQueue: { kind: 'whole', min: 0, max: 1_000_000 },
      retry: { kind: 'boolean' },
      tls: true,
      ca: true,
      dispatcher: true,
    },
  },
  endpoint: true,
  items: true,
  actions: true,
  logger: true,
  audit: { kind: 'function' },
  onError: { kind: 'function' },
};

/** The code of an invalid option: `rateLimit.perViewer` is `invalid_rate_limit`. */
const codeOf = (setting: string): VitrineOptionsErrorCode => {
  const [option = ''] = setting.split('.');
  return `invalid_${option.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}` as VitrineOptionsErrorCode; // every option has its code
};

const invalid = (option: string, expected: string, given: unknown): never =>
  fail(codeOf(option), `Option "${option}" must be ${expected}; it is ${valueText(given)}.`);

const checkCallbacks = (options: { portal?: unknown; viewer?: unknown; canView?: unknown }): void => {
  const notFunction = (given: unknown): string =>
    given === undefined ? 'is missing' : `must be a function; it is ${kindOf(given)}`;
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

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads `'45m'`, `'1 hour'` (ms, s, m, h, d and their English words). */
const readDuration = (text: string): number | undefined => {
  const [, amount, unit = ''] =
    /^(\d+(?:\.\d+)?) ?(ms|s|m|h|d|(?:second|minute|hour|day)s?)$/.exec(text) ?? [];
  const unitMs = unitsMs[unit === 'ms' ? unit : unit.charAt(0)];
  return unitMs === undefined ? undefined : Math.round(Number(amount) * unitMs);
};

const parseKeyLifetime = (value: string | number = '45m'): number => {
  const parsed = typeof value === 'string' ? readDuration(value) : value;
  return Number.isSafeInteger(parsed) &&
    parsed !== undefined &&
    parsed >= minKeyLifetimeMs &&
    parsed <= maxKeyLifetimeMs
    ? parsed
    : invalid(
        'keyLifetime',
        'between one minute and 24 hours, such as "45m" or a number of milliseconds',
        value,
      );
};

/** The origin of an app with its own scheme, which browsers send as it is: `capacitor://localhost`. */
const appOrigin = /^(?!(?:https?|file|blob|data|javascript):)[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+(?::\d+)?$/;

const isOrigin = (origin: unknown): origin is string =>
  typeof origin === 'string' &&
  !origin.includes('*') &&
  (URL.parse(origin)?.origin === origin || appOrigin.test(origin));

const parseOrigins = (given: readonly string[] = []): ReadonlySet<string> => {
  // Plain JavaScript may pass one string, or null.
  const origins: readonly unknown[] = Array.isArray(given) ? given : [given];
  const [wrong] = origins.filter((origin) => !isOrigin(origin));
  if (origins.some((origin) => !isOrigin(origin)))
    invalid(
      'allowedOrigins',
      'a list of origins such as "https://app.example.com", in lower case, without a path, trailing slash, default port or wildcard',
      wrong,
    );
  return new Set(origins.filter(isOrigin));
};

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1;

const parseLimits = (given: false | RateLimitOptions = {}): false | RateLimitOptions => {
  for (const [name, limit] of Object.entries(given)) {
    const isLimiter = typeof limit === 'object' && limit !== null && 'consume' in limit;
    if (limit === undefined || limit === false || isLimiter) continue;
    const { points, durationSeconds }: Record<string, unknown> = Object(limit);
    if (!isCount(points) || !isCount(durationSeconds) || Number(durationSeconds) > 86_400)
      fail(
        'invalid_rate_limit',
        `Option "rateLimit.${name}" must be { points, durationSeconds } with whole numbers above 0, a limiter of rate-limiter-flexible, or false; it is ${typeof limit === 'object' && limit !== null ? `{ points: ${valueText(points)}, durationSeconds: ${valueText(durationSeconds)} }` : kindOf(limit)}.`,
      );
  }
  return given;
};

const parseTls = ({ ca, tls }: UpstreamOptions): UpstreamOptions['tls'] => {
  if (ca === undefined) return tls;
  for (const one of [ca].flat() as readonly unknown[])
    if (typeof one !== 'string' || !one.includes('-----BEGIN CERTIFICATE-----'))
      fail(
        'invalid_upstream',
        `Option "upstream.ca" must be the text of certificates (PEM), not a file name; it is ${typeof one === 'string' ? 'text without "-----BEGIN CERTIFICATE-----"' : kindOf(one)}. Pass readFileSync("authority.pem", "utf8").`,
      );
  return { ...tls, ca: [tls?.ca ?? [], ca].flat() };
};

/** Checks the options of a mount, once. Throws a {@link VitrineOptionsError} that names the option and its valid values. */
export const parseOptions = <TRequest, TViewer extends Viewer>(
  options: VitrineOptions<TRequest, TViewer>,
): ParsedOptions<TRequest, TViewer> => {
  checkOptions('vitrine()', options, rules, codeOf);
  checkCallbacks(options);
  const { endpoint = defaultEndpoint, strictRls = true, items = false, upstream = {} } = options;
  const { actions } = options;
  if (typeof endpoint !== 'string' || !/^(\/(?!\.{1,2}(\/|$))[\w.~-]+)*$/.test(endpoint))
    invalid(
      'endpoint',
      'a path such as "/api/embed", without a trailing slash and without "." or ".." as a segment',
      endpoint,
    );
  if (matchRoute(endpoint.slice(endpoint.lastIndexOf('/')), '') !== undefined)
    invalid('endpoint', 'the path before the routes, such as "/api/embed"', endpoint);
  if (typeof items !== 'boolean' && typeof items !== 'function')
    invalid('items', 'true, false or a function of the viewer', items);
  if (actions !== undefined && !hasMethods(actions, ['open']))
    invalid('actions', 'the result of createActions()', actions);
  const logger = parseLogger(options.logger);
  const { connections = 64, totalTimeoutMs = 9000, maxQueue = 1000, retry = true, dispatcher } = upstream;
  return {
    portal: options.portal,
    viewer: options.viewer,
    canView: options.canView,
    ...(actions !== undefined && { actions }),
    ...(options.audit !== undefined && { audit: options.audit }),
    ...(options.onError !== undefined && { onError: options.onError }),
    strictRls,
    endpoint,
    items,
    allowedOrigins: parseOrigins(options.allowedOrigins),
    rateLimit: parseLimits(options.rateLimit),
    logger,
    upstream: {
      client: { maxRetries: retry ? 1 : 0, dispatcher, tls: parseTls(upstream) },
      connections,
      maxQueue,
      totalTimeoutMs,
      lifetimeMs: parseKeyLifetime(options.keyLifetime),
      logger,
    },
  };
};
