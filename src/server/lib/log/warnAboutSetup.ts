import { documentationUrl } from '@vitrine/contract';
import { isShortSecret, type PortalConnection } from '@vitrine/portal-client';
import type { RateLimitOptions } from '../limits/rateLimitOptions.ts';
import type { Logger } from './logger.ts';

/** Codes of warnings about suspicious setups; some appear only at run time. */
export type SetupWarning =
  | 'rate_limit_off'
  | 'key_lifetime_unusual'
  | 'tenancy_name_differs'
  | 'short_secret'
  | 'trust_proxy_permissive'
  | 'rate_limit_store_failed'
  | 'can_view_not_boolean'
  | 'actions_off'
  | 'previous_secret_used'
  | 'clock_skew'
  | 'telemetry_failed';

const shortestUsualMs = 30 * 60 * 1000;
const longestUsualMs = 60 * 60 * 1000;

/** A warning's code and documentation link, as fields of a log line. */
export const warningFields = (code: SetupWarning): { readonly code: SetupWarning; readonly see: string } => ({
  code,
  see: `${documentationUrl}/guides/key-endpoint.md#warnings`,
});

/** Warns, once per mount, about a valid but suspicious setup. */
export const warnAboutSetup = (
  logger: Logger,
  setup: {
    readonly lifetimeMs: number;
    readonly rateLimit: RateLimitOptions | undefined;
    readonly connection: PortalConnection | undefined;
  },
): void => {
  const { lifetimeMs, rateLimit, connection } = setup;
  if (rateLimit === undefined || rateLimit.perViewer === false)
    logger.warn(
      warningFields('rate_limit_off'),
      'There is no rate limit per viewer: one signed-in browser can use up the limit of the whole tenant. Omit rateLimit to get 120 requests a minute.',
    );
  if (lifetimeMs < shortestUsualMs || lifetimeMs > longestUsualMs)
    logger.warn(
      warningFields('key_lifetime_unusual'),
      `Keys live ${Math.round(lifetimeMs / 60_000)} minutes; 30 to 60 minutes are recommended.`,
    );
  for (const name of ['apiKey', 'passPhrase'] as const)
    if (connection?.[name].some(isShortSecret))
      logger.warn(
        warningFields('short_secret'),
        `${name === 'apiKey' ? 'An API key' : 'A passphrase'} has fewer than 8 characters. Check that it is complete, and ask the operator of the portal for a longer one.`,
      );
  const label = connection && new URL(connection.tenantUrl).hostname.split('.')[0];
  if (connection !== undefined && label !== connection.tenancyName.toLowerCase())
    logger.warn(
      warningFields('tenancy_name_differs'),
      'The tenancy name is not the first part of the host of tenantUrl. This is fine if you use your own domain; otherwise one of the two belongs to another tenant.',
    );
};
