import type { Viewer } from '../access/viewer.ts';
import type { RateLimit, RateLimitOptions, SharedLimiter } from '../limits/rateLimitOptions.ts';
import type { ParsedOptions } from '../options/parseVitrineOptions.ts';
import type { TenantUpstream } from '../upstream/createTenantUpstream.ts';

const describeLimit = (limit: RateLimit | SharedLimiter | false | undefined): string => {
  if (limit === false) return 'none';
  if (limit === undefined) return 'default';
  return 'consume' in limit ? 'shared' : `${limit.points} per ${limit.durationSeconds} s`;
};

const describeLimits = (limits: RateLimitOptions | undefined) =>
  limits === undefined
    ? 'none'
    : { perViewer: describeLimit(limits.perViewer), perTenant: describeLimit(limits.perTenant) };

/** Writes the one line that says how this process serves keys. */
export const logStart = <TRequest, TViewer extends Viewer>(
  { logger, endpoint, rateLimit, upstream, actions }: ParsedOptions<TRequest, TViewer>,
  fixed: TenantUpstream | undefined,
): void =>
  logger.info(
    {
      tenancyName: fixed?.connection.tenancyName ?? 'chosen by request',
      apiBaseUrl: fixed?.connection.apiBaseUrl,
      endpoint,
      keyLifetimeMs: upstream.lifetimeMs,
      rateLimit: describeLimits(rateLimit),
      connections: upstream.minter.connections,
      maxQueue: upstream.maxQueue,
      proxy: fixed?.proxy ?? 'none',
      actions: actions !== undefined,
      node: process.version,
    },
    'Vitrine serves keys.',
  );
