import type { AddressInfo } from 'node:net';
import { createDispatcher } from './actions/dispatcher.ts';
import { createApp } from './app.ts';
import { createAssets } from './assets/assets.ts';
import { createPortalClock, type PortalClock } from './clock/portalClock.ts';
import { createPortalControl } from './control/portalControl.ts';
import { openDatabase } from './database/openDatabase.ts';
import { createFaults, type PortalFaults } from './faults/createFaults.ts';
import { webhookPlan } from './faults/webhookPlan.ts';
import { createHostNames, parsePublicUrl, parseTenantUrlTemplate } from './http/hostNames.ts';
import { listen, serve } from './http/listener.ts';
import { isLoopback, reachableUrl } from './http/reachableUrl.ts';
import { createDeliveryLog, type PortalDeliveries } from './logs/deliveryLog.ts';
import { createRequestLog, type PortalRequests } from './logs/requestLog.ts';
import type { PortalControl } from './portalParts.ts';
import { seedWhenEmpty } from './seed/applySeed.ts';
import { defaultSeed } from './seed/defaultSeed.ts';
import type { PortalSeed } from './seed/portalSeed.ts';
import { seedSchema } from './seed/seedSchema.ts';
import { validate } from './service/validate.ts';
import type { Services } from './services.ts';
import { describeTenants, type PortalTenant } from './tenants/describeTenants.ts';

/** Options of {@link createPortal}. */
export interface PortalOptions {
  /** Port to listen on. Default 0: any free port. */
  readonly port?: number;
  /** Address to bind. Default `127.0.0.1`: not reachable from other machines. */
  readonly host?: string;
  /**
   * Origin under which others reach the API, the console and the control interface, such as `http://portal.test:4400`:
   * behind a proxy, in a container, or under its own name. Default: the bound address.
   */
  readonly publicUrl?: string;
  /**
   * Origin of a tenant's reports, with `{tenant}` for the subdomain: `http://{tenant}.portal.test:4400`. Default:
   * `http://{tenant}.localhost:<port>`, which browsers resolve to their own machine.
   */
  readonly tenantUrlTemplate?: string;
  /**
   * Whether error pages have hints for developers of host apps; the request log always has. Default: true if only this
   * machine can reach the portal.
   */
  readonly developerHints?: boolean;
  /** `:memory:` (default), a file, or `postgres://…` (`?schema=name` separates several portals). */
  readonly database?: string;
  /** Initial data of an empty database. Default: the companies acme and globex. */
  readonly seed?: PortalSeed;
  /** Called for unexpected errors, which callers get as 500. Default: none. */
  readonly onError?: (error: unknown, requestId: string) => void;
}

/** A running portal. */
export interface Portal extends PortalControl {
  /**
   * Origin of the API, console and control interface: the `publicUrl`, or `http://<address>:<port>` with the bound
   * address (loopback if all addresses are bound).
   */
  readonly url: string;
  /** The initial tenants, with the secrets for host apps. */
  readonly tenants: readonly PortalTenant[];
  /** Whether this start wrote the seed. It does not if the database already has tenants. */
  readonly isSeeded: boolean;
  /** The portal's clock. */
  readonly clock: PortalClock;
  /** The injected faults. */
  readonly faults: PortalFaults;
  /** The log of requests. */
  readonly requests: PortalRequests;
  /** The log of webhooks. */
  readonly deliveries: PortalDeliveries;
  /** Sets the URL of the webhook tasks of a tenant that send its `webhookSecret`. */
  setActionTarget(tenancyName: string, url: string): Promise<void>;
  /** Stops listening, finishes in-flight requests within five seconds, and closes the database. */
  close(): Promise<void>;
}

const closeGraceMs = 5000;

/**
 * Starts a whole portal in this process: API, report pages, webhooks, control interface.
 *
 * @example
 * ```ts
 * import { createPortal } from '@vitrine/portal';
 *
 * const portal = await createPortal();
 * console.log(portal.url);
 * await portal.close();
 * ```
 */
export const createPortal = async (options: PortalOptions = {}): Promise<Portal> => {
  const host = options.host ?? '127.0.0.1';
  const publicUrl = options.publicUrl === undefined ? undefined : parsePublicUrl(options.publicUrl);
  const tenantUrlTemplate =
    options.tenantUrlTemplate === undefined ? undefined : parseTenantUrlTemplate(options.tenantUrlTemplate);
  const seed = validate(seedSchema, options.seed ?? defaultSeed, 'seed');
  const clock = createPortalClock();
  const database = await openDatabase(options.database ?? ':memory:');
  const { db } = database;
  const closeDatabase = async (error: unknown) => {
    await database.close();
    throw error;
  };
  const isSeeded = await seedWhenEmpty({ db, atMs: clock.now() }, seed).catch(closeDatabase);

  const server = await listen(options.port ?? 0, host).catch(closeDatabase);
  // It listens on a port, so this is not a path.
  const boundUrl = reachableUrl(server.address() as AddressInfo);
  const faults = createFaults();
  const requests = createRequestLog(
    seed.tenants.flatMap(({ passPhrase, apiKeys = [], tasks }) => [
      passPhrase,
      ...apiKeys.map(({ key }) => key),
      ...tasks.map(({ secret }) => secret),
    ]),
  );
  const deliveryLog = createDeliveryLog();
  const dispatcher = createDispatcher({ db, clock, plan: webhookPlan(faults), deliveries: deliveryLog });
  const services: Services = {
    ...createHostNames({ boundUrl, publicUrl, tenantUrlTemplate }),
    db,
    clock,
    assets: createAssets(),
    dispatcher,
    showsHints: options.developerHints ?? isLoopback(host),
  };
  const control = createPortalControl({ services, seed, faults, requests, deliveries: deliveryLog });
  const deliveries: PortalDeliveries = { ...deliveryLog, replay: control.replay };
  const onError = options.onError ?? (() => {});
  serve(server, createApp({ services, control, faults, requests, deliveries, onError }));

  return {
    ...control,
    url: services.apiUrl,
    tenants: await describeTenants(services, seed),
    isSeeded,
    clock,
    faults,
    requests,
    deliveries,
    setActionTarget: (tenancyName, url) => control.changeTenant(tenancyName, { actionTarget: url }),
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Browsers keep connections without requests open.
      const sweep = setInterval(() => server.closeIdleConnections(), 20);
      // A fault may delay a response; a statement may hang: on a lock, or because the server is gone.
      const impatience = setInterval(() => {
        server.closeAllConnections();
        database.disconnect();
      }, closeGraceMs);
      await closed;
      clearInterval(sweep);
      dispatcher.close();
      await dispatcher.idle();
      await database.close();
      clearInterval(impatience);
    },
  };
};
