import type { IncomingMessage } from 'node:http';
import type { PortalSeed } from '@vitrine/portal';
import type { MaybePromise, Viewer } from '@vitrine/server';

/** Options of {@link vitrine}. Each has a default. */
export interface VitrinePluginOptions {
  /**
   * The viewer: an object, or a function of the request for an app with its own sign-in. A function that returns
   * nothing means that nobody is signed in. Default: `developer` with every RLS role of the tenant.
   */
  readonly viewer?: Viewer | ((request: IncomingMessage) => MaybePromise<Viewer | undefined | null>);
  /** Tenancy name of the tenant whose reports are shown. Default: the first tenant of the portal. */
  readonly tenant?: string;
  /** Path of the key route: the `endpoint` of `<EmbedProvider>`. Default `/api/embed`. */
  readonly endpoint?: string;
  /** Port of the portal; while it is in use, each request of the endpoint tries again. Default: a free port. */
  readonly port?: number;
  /**
   * The portal's initial data: a seed, or the path of a seed file relative to the root of the app. Default: two sample
   * companies with reports.
   */
  readonly seed?: string | PortalSeed;
}
