import type { Viewer } from '../access/viewer.ts';
import { defaultLimits } from '../limits/createLimits.ts';
import { describeLimit } from '../limits/describeLimit.ts';
import type { RateLimitOptions } from '../limits/rateLimitOptions.ts';
import type { LogThrottle } from '../log/createLogThrottle.ts';
import type { ParsedOptions } from '../options/parseVitrineOptions.ts';
import type { TenantUpstream } from '../upstream/createTenantUpstream.ts';

const describeLimits = (limits: RateLimitOptions | undefined) =>
  limits === undefined
    ? 'none'
    : {
        perViewer: describeLimit(limits.perViewer ?? defaultLimits.perViewer),
        perTenant: describeLimit(limits.perTenant ?? defaultLimits.perTenant),
      };

/** Logs the first use of a tenant, or of its new secrets, if the host chooses the tenant by request. */
export const logTenant = (throttle: LogThrottle, { connection, proxy, limiterKey }: TenantUpstream): void => {
  const { tenancyName, apiBaseUrl } = connection;
  throttle.write({
    level: 'info',
    fields: { tenancyName, apiBaseUrl, proxy },
    message: 'Vitrine connects to a tenant.',
    cause: `tenant ${limiterKey}`,
  });
};

/** Logs how this process serves keys, in one line. */
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
      connections: upstream.connections,
      maxQueue: upstream.maxQueue,
      proxy: fixed?.proxy,
      actions: actions !== undefined,
      node: process.version,
    },
    'Vitrine serves keys.',
  );
