import type { IncomingMessage } from 'node:http';
import type { Logger, SetupWarning } from '@vitrine/server';
import { warningFields } from '@vitrine/server/internal';

/** An Express request knows its application, which knows the setting. */
interface WithApp {
  readonly app?: { readonly get?: (setting: string) => unknown };
}

const code: SetupWarning = 'trust_proxy_permissive';

/**
 * Warns when Express believes every `X-Forwarded-For`: a viewer then chooses the address that `req.ip` shows, and any
 * limit or decision of the host that counts by address is theirs to evade. Vitrine's own limit counts by user.
 */
export const warnAboutProxy = (request: IncomingMessage, logger: Logger | false = console): void => {
  // Frameworks other than Express may be behind this handler, so nothing of the request is taken for granted.
  const { app } = request as IncomingMessage & WithApp;
  if (logger === false || app?.get?.('trust proxy') !== true) return;
  logger.warn(
    warningFields(code),
    'The setting "trust proxy" is true: every client can claim any IP address. List your proxies instead, by number of hops or by address.',
  );
};
