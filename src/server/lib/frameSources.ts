import { checkWebUrl } from '@vitrine/contract';
import type { PortalConnectionInput } from '@vitrine/portal-client';
import { fail } from './options.ts';

/**
 * The only origins that a host's Content Security Policy must allow in `frame-src`.
 *
 * @example
 * ```ts
 * import { frameSources, portalFromEnv } from '@vitrine/server';
 * import helmet from 'helmet';
 *
 * app.use(helmet({ contentSecurityPolicy: { directives: { frameSrc: [...frameSources(portalFromEnv())] } } }));
 * ```
 */
export const frameSources = (
  ...portals: readonly Pick<PortalConnectionInput, 'tenantUrl'>[]
): readonly string[] => {
  if (portals.length === 0) fail('frameSources() needs at least one portal, such as portalFromEnv().');
  const origins = portals.map(({ tenantUrl }) => {
    const reason = checkWebUrl(tenantUrl);
    if (reason !== undefined) fail(`frameSources() received an invalid tenantUrl: ${reason}.`);
    return new URL(tenantUrl).origin;
  });
  return [...new Set(origins)];
};
