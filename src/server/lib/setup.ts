import { warningFields } from './log.ts';
import type { ParsedOptions } from './parseOptions.ts';
import type { PortalCalls } from './portalCalls.ts';
import { describeLimits } from './rateLimit.ts';
import type { Viewer } from './viewer.ts';

type Setup = Pick<ParsedOptions<never, Viewer>, 'logger' | 'endpoint' | 'rateLimit' | 'upstream'>;

const minuteMs = 60_000;

/** Warns, once per mount, about a valid but suspicious setup. */
export const warnAboutSetup = (
  { logger, rateLimit, upstream }: Setup,
  fixed: PortalCalls | undefined,
): void => {
  if (rateLimit === false || rateLimit.perViewer === false)
    logger.warn(
      warningFields('rate_limit_off'),
      'There is no rate limit per viewer: one signed-in browser can use up the limit of the whole tenant. Omit rateLimit to get 120 requests a minute.',
    );
  const minutes = Math.round(upstream.lifetimeMs / minuteMs);
  if (upstream.lifetimeMs < 30 * minuteMs || upstream.lifetimeMs > 60 * minuteMs)
    logger.warn(
      warningFields('key_lifetime_unusual'),
      `Keys live ${minutes} minutes; 30 to 60 minutes are recommended.`,
    );
  if (fixed === undefined) return;
  const { connection } = fixed;
  for (const name of ['apiKey', 'passPhrase'] as const)
    if (connection[name].some((secret) => secret.reveal().length < 8))
      logger.warn(
        warningFields('short_secret'),
        `${name === 'apiKey' ? 'An API key' : 'A passphrase'} has fewer than 8 characters. Check that it is complete, and ask the operator of the portal for a longer one.`,
      );
  const [label] = new URL(connection.tenantUrl).hostname.split('.');
  if (label !== connection.tenancyName.toLowerCase())
    logger.warn(
      warningFields('tenancy_name_differs'),
      'The tenancy name is not the first part of the host of tenantUrl. This is fine if you use your own domain; otherwise one of the two belongs to another tenant.',
    );
};

/** Logs how this process serves keys, in one line. */
export const logStart = (
  { logger, endpoint, rateLimit, upstream }: Setup,

  fixed: PortalCalls | undefined,
  routes: { readonly items: boolean; readonly actions: boolean },
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
      ...routes,
      node: process.version,
    },
    'Vitrine serves keys.',
  );
