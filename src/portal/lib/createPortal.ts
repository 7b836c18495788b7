import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createDispatcher } from './actions/dispatcher.ts';
import { createApp } from './app.ts';
import { createPortalClock, type PortalClock, systemTime, type TimeSource } from './clock/portalClock.ts';
import { createPortalControl } from './control/portalControl.ts';
import { openDatabase } from './database/openDatabase.ts';
import { createFaults, type PortalFaults } from './faults/createFaults.ts';
import { webhookPlan } from './faults/webhookPlan.ts';
import { createHostNames, parsePublicUrl, parseTenantUrlTemplate } from './http/hostNames.ts';
import { createListener } from './http/listener.ts';
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
  /** Source of time for the portal's clock. Default: the machine. */
  readonly time?: TimeSource;
  /** Random seed of faults with a probability. Default 1. */
  readonly faultSeed?: number;
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
  const time = options.time ?? systemTime;
  const clock = createPortalClock(time);
  const database = await openDatabase(options.database ?? ':memory:');
  const { db } = database;
  await seedWhenEmpty({ db, atMs: clock.now(), randomBytes }, seed).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });

  const faults = createFaults(options.faultSeed);
  const requests = createRequestLog();
  const deliveryLog = createDeliveryLog();
  const dispatcher = createDispatcher({
    db,
    clock,
    plan: webhookPlan(faults),
    deliveries: deliveryLog,
  });
  // Requests only arrive after the port is known.
  let names = createHostNames({ boundUrl: 'http://localhost:0', publicUrl, tenantUrlTemplate });
  const services: Services = {
    db,
    clock,
    dispatcher,
    randomBytes,
    apiUrl: () => names.apiUrl,
    tenantUrl: (tenancyName) => names.tenantUrl(tenancyName),
    isOwnHost: (host) => names.isOwnHost(host),
    showsHints: options.developerHints ?? isLoopback(host),
  };
  const control = createPortalControl({ services, seed, faults, requests, deliveries: deliveryLog });
  const deliveries: PortalDeliveries = { ...deliveryLog, replay: control.replay };
  const stop = new AbortController();
  const app = createApp({
    services,
    control,
    faults,
    requests,
    deliveries,
    tenancyOfHost: (host) => names.tenancyOfHost(host),
    pause: (delayMs) => new Promise((resolve) => void time.schedule(resolve, delayMs)),
    onError: options.onError ?? (() => {}),
  });
  const server = createListener(app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, () => {
      server.off('error', reject);
      resolve();
    });
  }).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  // It listens on a port, so this is not a path.
  const boundUrl = reachableUrl(server.address() as AddressInfo);
  names = createHostNames({ boundUrl, publicUrl, tenantUrlTemplate });

  const whileOpen = <TMethods extends object>(methods: TMethods): TMethods =>
    // Each method has the arguments and the result of its original.
    Object.fromEntries(
      Object.entries(methods).map(([name, method]: [string, (...args: unknown[]) => unknown]) => [
        name,
        async (...args: unknown[]) => {
          if (stop.signal.aborted)
            throw new Error('The portal is closed. Start another with createPortal().');
          return method(...args);
        },
      ]),
    ) as TMethods;
  const { snapshots: _, importSeed: __, replay: ___, ...forHosts } = control;

  return {
    url: services.apiUrl(),
    tenants: await describeTenants(services, seed),
    clock,
    faults,
    requests,
    deliveries: whileOpen(deliveries),
    ...whileOpen({
      ...forHosts,
      setActionTarget: (tenancyName: string, url: string) =>
        control.changeTenant(tenancyName, { actionTarget: url }),
    }),
    close: async () => {
      stop.abort();
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
