import { checkWebUrl } from '@vitrine/contract';
import type { PortalConnectionInput } from '@vitrine/portal-client';
import { VitrineOptionsError } from '../options/vitrineOptionsError.ts';

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
): readonly [string, ...string[]] => {
  const origins = portals.map(({ tenantUrl }) => {
    const reason = checkWebUrl(tenantUrl);
    if (reason !== undefined)
      throw new VitrineOptionsError(
        'missing_portal',
        `frameSources() received an invalid tenantUrl: ${reason}.`,
      );
    return new URL(tenantUrl).origin;
  });
  const [first, ...others] = [...new Set(origins)];
  if (first === undefined)
    throw new VitrineOptionsError(
      'missing_portal',
      'frameSources() needs at least one portal, such as portalFromEnv().',
    );
  return [first, ...others];
};
