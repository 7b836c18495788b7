import { documentationUrl } from '@vitrine/contract';
import {
  createNodeHandler,
  type Logger,
  type NodeHandler,
  type SetupWarning,
  type Viewer,
  type VitrineOptions,
} from '@vitrine/server';
import type { Request } from 'express';

/** An Express handler, for `app.use('/api/embed', vitrine({...}))`. */
export type VitrineHandler = NodeHandler;

/** What an Express request adds. Other frameworks may call the handler, so it may be missing. */
interface ExpressParts {
  readonly app?: { readonly get?: (setting: string) => unknown };
  /** The sender's address, by the proxies that the app trusts. */
  readonly ip?: string | undefined;
}

const code: SetupWarning = 'trust_proxy_permissive';

/**
 * Warns when Express trusts every `X-Forwarded-For`: viewers can then forge `req.ip` and evade any check of the host
 * that relies on it. Vitrine's own limit counts by user.
 */
const warnAboutProxy = ({ app }: ExpressParts, logger: Logger | false = console): void => {
  if (logger === false || app?.get?.('trust proxy') !== true) return;
  logger.warn(
    { code, see: `${documentationUrl}/guides/key-endpoint.md#warnings` },
    'The setting "trust proxy" is true: every client can claim any IP address. List your proxies instead, by number of hops or by address.',
  );
};

/**
 * Creates the middleware that issues keys to browsers: `POST {mount}/keys`, with the option `items` also
 * `GET {mount}/items`, and with the option `actions` `GET {mount}/actions` and `POST {mount}/webhook`. Every other path is
 * passed on to the next handler. Works with Express 5 and 4, before or behind `express.json()`. Throws if an option is not
 * valid.
 *
 * @example
 * ```ts
 * import { portalFromEnv, vitrine } from '@vitrine/express';
 * import express from 'express';
 * import { mayOpen, userOf } from './yourSignIn.ts';
 *
 * const app = express();
 * app.use('/api/embed', vitrine({ portal: portalFromEnv(), viewer: userOf, canView: mayOpen }));
 * ```
 */
export const vitrine = <TRequest extends Request = Request, TViewer extends Viewer = Viewer>(
  options: VitrineOptions<TRequest, TViewer>,
): VitrineHandler => {
  let isChecked = false;
  return createNodeHandler<TRequest, TViewer>(options, (request) => {
    if (!isChecked) warnAboutProxy(request, options.logger);
    isChecked = true;
    return () => request.ip;
  });
};
