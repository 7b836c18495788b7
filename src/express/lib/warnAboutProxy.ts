import type { IncomingMessage } from 'node:http';
import type { Logger, SetupWarning } from '@vitrine/server';
import { warningFields } from '@vitrine/server/internal';

/** An Express request, whose application has the setting. */
interface WithApp {
  readonly app?: { readonly get?: (setting: string) => unknown };
}

const code: SetupWarning = 'trust_proxy_permissive';

/**
 * Warns when Express trusts every `X-Forwarded-For`: viewers can then forge `req.ip` and evade any check of the host
 * that relies on it. Vitrine's own limit counts by user.
 */
export const warnAboutProxy = (request: IncomingMessage, logger: Logger | false = console): void => {
  // Other frameworks may call this handler, so the request may lack `app`.
  const { app } = request as IncomingMessage & WithApp;
  if (logger === false || app?.get?.('trust proxy') !== true) return;
  logger.warn(
    warningFields(code),
    'The setting "trust proxy" is true: every client can claim any IP address. List your proxies instead, by number of hops or by address.',
  );
};
