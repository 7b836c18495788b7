import { defaultEndpoint, maxKeyLifetimeMs, minKeyLifetimeMs } from '@vitrine/contract';
import { kindOf, type OptionRules, valueText } from '@vitrine/contract/service';
import { checkOptions, hasMethods, invalid, parseLogger, type VitrineOptions } from './options.ts';
import type { PortalCallOptions } from './portalCalls.ts';
import { matchRoute } from './requestChecks.ts';
import type { Viewer } from './viewer.ts';

const required = (expected: string) => ({ kind: 'function', isRequired: true, expected }) as const;

/** Every option, and what the plain ones may hold. */
const rules: OptionRules<keyof VitrineOptions<never>> = {
  portal: true,
  viewer: required(
    'a function that returns who sent a request, such as (req) => req.user && { userId: req.user.email }',
  ),
  canView: required(
    'a function that returns whether a viewer may see a report: (viewer, itemId) => boolean. To show every report to every viewer, set canView: allowAll',
  ),
  keyLifetime: true,
  strictRls: { kind: 'boolean' },
  allowedOrigins: true,
  rateLimit: {
    kind: 'group',
    or: false,
    options: {
      points: { kind: 'whole', min: 1, isRequired: true },
      durationSeconds: { kind: 'whole', min: 1, max: 86_400, isRequired: true },
    },
    expected: '{ points, durationSeconds }, a limiter of rate-limiter-flexible, or false',
  },
  upstream: {
    kind: 'group',
    options: {
      connections: { kind: 'whole', min: 1, max: 4096 },
      totalTimeoutMs: { kind: 'whole', min: 100, max: 120_000 },
      maxQueue: { kind: 'whole', min: 0, max: 1_000_000 },
      retry: { kind: 'boolean' },
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

const unitsMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

const readDuration = (text: string): number => {
  const [, amount, unit = ''] = /^(\d+)([smh])$/.exec(text) ?? [];
  return Number(amount) * (unitsMs[unit] ?? Number.NaN);
};

const parseKeyLifetime = (value: string | number = '45m'): number => {
  const parsed = typeof value === 'string' ? readDuration(value) : value;
  return Number.isSafeInteger(parsed) && parsed >= minKeyLifetimeMs && parsed <= maxKeyLifetimeMs
    ? parsed
    : invalid(
        'keyLifetime',
        valueText(value),
        'one minute to 24 hours, such as "45m", "1h" or a number of milliseconds',
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
  for (const origin of origins)
    if (!isOrigin(origin))
      invalid(
        'allowedOrigins',
        valueText(origin),
        'a list of origins such as "https://app.example.com", in lower case, without a path, trailing slash, default port or wildcard',
      );
  return new Set(origins.filter(isOrigin));
};

const checkEndpoint = (endpoint: unknown): void => {
  if (typeof endpoint !== 'string' || !/^(\/(?!\.{1,2}(\/|$))[\w.~-]+)*$/.test(endpoint))
    return invalid(
      'endpoint',
      valueText(endpoint),
      'a path such as "/api/embed", without a trailing slash and without "." or ".." as a segment',
    );
  if (matchRoute(endpoint.slice(endpoint.lastIndexOf('/')), '') !== undefined)
    invalid('endpoint', valueText(endpoint), 'the path before the routes, such as "/api/embed"');
};

/**
 * Checks the options of a mount, once, also the function's own ones, and fills in the defaults. Throws a
 * {@link VitrineOptionsError} that names the option and its valid values.
 */
export const parseOptions = <TRequest, TViewer extends Viewer>(
  options: VitrineOptions<TRequest, TViewer>,
  subject = 'vitrine()',
  ownRules: OptionRules = {},
) => {
  const isShared = hasMethods(options?.rateLimit, ['consume']);
  checkOptions(subject, options, { ...rules, ...ownRules, ...(isShared && { rateLimit: true }) });
  if (!options.portal)
    invalid('portal', kindOf(options.portal), 'portalFromEnv() or an object with the connection');
  const { endpoint = defaultEndpoint, strictRls = true, items = false, upstream = {}, actions } = options;
  const { rateLimit = { points: 120, durationSeconds: 60 } } = options;
  checkEndpoint(endpoint);
  if (typeof items !== 'boolean' && typeof items !== 'function')
    invalid('items', valueText(items), 'true, false or a function of the viewer');
  if (actions !== undefined && !hasMethods(actions, ['open']))
    invalid('actions', kindOf(actions), 'the result of createActions()');
  const logger = parseLogger(options.logger);
  const lifetimeMs = parseKeyLifetime(options.keyLifetime);
  const calls: PortalCallOptions = { ...upstream, lifetimeMs, logger };
  return {
    ...options,
    strictRls,
    endpoint,
    items,
    allowedOrigins: parseOrigins(options.allowedOrigins),
    rateLimit,
    logger,
    upstream: calls,
  };
};
