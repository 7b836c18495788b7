import type { IncomingMessage } from 'node:http';
import type { PortalSeed } from '@vitrine/portal';

/** Who views the reports during development. */
export interface DevelopmentViewer {
  readonly userId: string;
  /** Codes of RLS roles, such as `region-north`. */
  readonly roleNames?: readonly string[];
}

/** Options of {@link vitrine}. Each has a default, so that `vitrine()` shows a report. */
export interface VitrinePluginOptions {
  /**
   * Who views the reports: one person, or a function of the request, for an app with a sign-in of its own. A function
   * that returns nothing means that nobody is signed in. Default: `developer` with every RLS role of the tenant.
   */
  readonly viewer?:
    | DevelopmentViewer
    | ((
        request: IncomingMessage,
      ) => DevelopmentViewer | undefined | null | Promise<DevelopmentViewer | undefined | null>);
  /** Tenancy name of the tenant whose reports are shown. Default: the first tenant of the portal. */
  readonly tenant?: string;
  /** Path of the key route, as `<EmbedProvider endpoint>` names it. Default `/api/embed`. */
  readonly endpoint?: string;
  /** Port of the portal; a port that is taken is an error. Default: a free one. */
  readonly port?: number;
  /**
   * What the portal starts with: a seed, or the path of a seed file relative to the root of the app. Default: two sample
   * companies with reports.
   */
  readonly seed?: string | PortalSeed;
}
