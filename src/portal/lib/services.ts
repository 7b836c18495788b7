import type { Kysely } from 'kysely';
import type { Dispatcher } from './actions/dispatcher.ts';
import type { PortalClock } from './clock/portalClock.ts';
import type { Tables } from './database/schema.ts';

/** The dependencies of all operations of the portal. */
export interface Services {
  readonly db: Kysely<Tables>;
  readonly clock: PortalClock;
  /** Sends action webhooks. */
  readonly dispatcher: Dispatcher;
  readonly randomBytes: (size: number) => Buffer;
  /** Origin of the API: the public one, or `http://<address>:<port>`. */
  readonly apiUrl: () => string;
  /** Public origin of a tenant, by default `http://<tenancy>.localhost:<port>`. */
  readonly tenantUrl: (tenancyName: string) => string;
  /** Whether error pages have hints for developers of host apps. */
  readonly showsHints: boolean;
  /** Whether a Host header is the portal's own, and not a rebound name. */
  readonly isOwnHost: (host: string | undefined) => boolean;
}
