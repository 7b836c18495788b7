import type { Kysely } from 'kysely';
import type { Dispatcher } from './actions/dispatcher.ts';
import type { Callers } from './auth/callers.ts';
import type { PortalClock } from './clock/portalClock.ts';
import type { Tables } from './database/tables/tables.ts';

/** What every operation of the portal works with; nothing is reached any other way. */
export interface Services {
  readonly db: Kysely<Tables>;
  readonly clock: PortalClock;
  /** Recognises API keys. */
  readonly callers: Callers;
  /** Sends action webhooks. */
  readonly dispatcher: Dispatcher;
  readonly randomBytes: (size: number) => Buffer;
  /** Origin of the API: the public one, or `http://<address>:<port>`. */
  readonly apiUrl: () => string;
  /** Public origin of a tenant, by default `http://<tenancy>.localhost:<port>`. */
  readonly tenantUrl: (tenancyName: string) => string;
  /** Whether error pages say what the developer of a host app can do. */
  readonly showsHints: boolean;
  /** Whether a Host header names the portal itself and not, say, a name that was made to point here. */
  readonly isOwnHost: (host: string | undefined) => boolean;
}
