import type { Kysely } from 'kysely';
import type { Dispatcher } from './actions/dispatcher.ts';
import type { Assets } from './assets/assets.ts';
import type { PortalClock } from './clock/portalClock.ts';
import type { Tables } from './database/schema.ts';
import type { HostNames } from './http/hostNames.ts';

/** The dependencies of all operations of the portal. */
export interface Services extends HostNames {
  readonly db: Kysely<Tables>;
  readonly clock: PortalClock;
  /** The files of the report pages and of the console, read when they are first asked for. */
  readonly assets: () => Assets;
  /** Sends action webhooks. */
  readonly dispatcher: Dispatcher;
  /** Whether error pages have hints for developers of host apps. */
  readonly showsHints: boolean;
}
